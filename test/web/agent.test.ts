import { testAgentWithTools } from "../contract/agent-with-tools.js";

testAgentWithTools("a tab");
