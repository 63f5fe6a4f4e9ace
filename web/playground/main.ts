/** The playground's page. What it needs to show itself is here; the agent is loaded behind it. */
import { App } from "./app.js";
import { applyTheme, readTheme } from "./settings.js";
import { buildPage } from "./views/page.js";

applyTheme(readTheme());
const app = new App();
buildPage(app);
void app.start();
addEventListener("hashchange", () => void app.visit());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void app.seen();
});
