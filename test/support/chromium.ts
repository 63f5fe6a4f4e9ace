import { existsSync } from "node:fs";

/** `CHROMIUM_PATH`, else Debian's browser when it is there, else Playwright's own. */
const executablePath =
  process.env["CHROMIUM_PATH"] || (existsSync("/usr/bin/chromium") ? "/usr/bin/chromium" : undefined);

const flags = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Chromium refuses its own sandbox when the user is root, as in most containers. */
const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

export const chromiumLaunch = { ...(executablePath ? { executablePath } : {}), args: [...asRoot, ...flags] };
