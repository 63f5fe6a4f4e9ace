/** Which calls need an approval, and the request a person reads: the same one that `humanInTheLoopMiddleware` makes. */
import type { ToolCallRequest } from "langchain";
import type { PausedCall } from "../../result/outcome.js";
import { schemaToJson } from "../prompt/schema-json.js";
import { parseTaskRequest } from "../subagents/task-request.js";
import type { CallEnvironment } from "../tools/invoke-tool.js";
import type { RequestTools } from "../tools/request-tools.js";
import { toToolInput } from "../tools/tool-input.js";
import type { CallableTool } from "../tools/tool-names.js";
import { type ApprovalPolicy, policyOf } from "./approval-policy.js";
import type { ApprovalAction } from "./decisions.js";

export interface ApprovalRequest {
  readonly actionRequests: readonly {
    readonly name: string;
    readonly args: Readonly<Record<string, unknown>>;
    readonly description: string;
  }[];
  readonly reviewConfigs: readonly {
    readonly actionName: string;
    readonly allowedDecisions: readonly string[];
    readonly argsSchema?: Readonly<Record<string, unknown>>;
  }[];
  /** Why the last answer was not taken; only when the request is made again for that. */
  readonly error?: string;
}

/** A call as the agent would have made it. */
interface DescribedCall {
  readonly toolName: string;
  readonly guestName: string;
  readonly tool: CallableTool | undefined;
  readonly args: Readonly<Record<string, unknown>>;
}

export class ApprovalGate {
  readonly #tools: RequestTools;
  readonly #environment: CallEnvironment;

  constructor(tools: RequestTools, environment: CallEnvironment) {
    this.#tools = tools;
    this.#environment = environment;
  }

  /** Whether a call has to wait; asked once per call, when code makes it. */
  readonly isGated = (call: PausedCall): boolean | Promise<boolean> => {
    const { options, held } = this.#environment;
    if (options.interruptOn.size === 0 || held.isApproved(call.id)) return false;
    const known = this.#find(call.name);
    const policy = known && this.#policy(known);
    if (!policy) return false;
    let args: DescribedCall["args"];
    try {
      args = this.#describe(call).args;
    } catch {
      // What the tool cannot take fails by itself, without anybody being asked.
      return false;
    }
    if (!policy.when) return true;
    return Promise.resolve(policy.when(this.#request({ ...known, args }, call.id))).then(Boolean);
  };

  /** @throws nothing: a description that fails is replaced by the default one, which says so. */
  async request(
    calls: readonly PausedCall[],
  ): Promise<{ readonly request: ApprovalRequest; readonly actions: readonly ApprovalAction[] }> {
    const actions: ApprovalAction[] = [];
    const actionRequests: ApprovalRequest["actionRequests"][number][] = [];
    const reviewConfigs: ApprovalRequest["reviewConfigs"][number][] = [];
    for (const call of calls) {
      const described = this.#describe(call);
      const { toolName, tool, args } = described;
      const policy = this.#policy(described);
      const allowedDecisions = policy?.allowedDecisions ?? ["approve", "edit", "reject"];
      const argsSchema = policy?.argsSchema;
      const schema = tool ? schemaToJson(tool.schema) : argsSchema;
      actions.push({ id: call.id, toolName, allowedDecisions, ...(schema === undefined ? {} : { schema }) });
      actionRequests.push({
        name: toolName,
        args,
        description: await this.#description(described, policy, call.id),
      });
      reviewConfigs.push({ actionName: toolName, allowedDecisions, ...(argsSchema && { argsSchema }) });
    }
    return { request: { actionRequests, reviewConfigs }, actions };
  }

  /** The input of a call with other arguments. */
  edited(call: PausedCall, args: Readonly<Record<string, unknown>>): unknown {
    if (call.name !== "task") return args;
    const { description, subagent_type } = args;
    const given = call.input as Record<string, unknown>;
    const { subagent_type: _, ...rest } = given;
    return { ...rest, description, subagentType: subagent_type };
  }

  #find(name: string): Omit<DescribedCall, "args"> | undefined {
    if (name === "task" && this.#tools.task) {
      const tool = this.#tools.task === "by-name" ? undefined : this.#tools.task;
      return { toolName: "task", guestName: "task", tool };
    }
    const tool = this.#tools.tools.find((known) => known.name === name || known.guestName === name);
    return tool && { toolName: tool.name, guestName: tool.guestName, tool: tool.tool };
  }

  #policy({
    toolName,
    guestName,
  }: Pick<DescribedCall, "toolName" | "guestName">): ApprovalPolicy | undefined {
    return policyOf(this.#environment.options.interruptOn, { name: toolName, guestName });
  }

  #describe({ name, input }: PausedCall): DescribedCall {
    const known = this.#find(name) ?? { toolName: name, guestName: name, tool: undefined };
    if (name === "task") {
      const { description, subagentType } = parseTaskRequest(input);
      return { ...known, args: { description, subagent_type: subagentType } };
    }
    const args = known.tool
      ? toToolInput(input, known.tool)
      : ((input ?? {}) as Readonly<Record<string, unknown>>);
    return { ...known, args };
  }

  #request({ toolName, args }: DescribedCall, id: number): ToolCallRequest {
    const { agent, state, toolCallId } = this.#environment;
    const toolCall = {
      name: toolName,
      args,
      id: `${toolCallId ?? "eval"}_${id}`,
      type: "tool_call" as const,
    };
    return {
      ...(agent?.request as ToolCallRequest),
      toolCall: toolCall as ToolCallRequest["toolCall"],
      tool: undefined,
      state: (state?.current() ?? {}) as ToolCallRequest["state"],
    };
  }

  async #description(call: DescribedCall, policy: ApprovalPolicy | undefined, id: number): Promise<string> {
    const { toolName, args } = call;
    const text = `Tool execution requires approval\n\nTool: ${toolName}\nArgs: ${JSON.stringify(args, null, 2)}`;
    if (typeof policy?.description === "string") return policy.description;
    if (!policy?.description) return text;
    const { toolCall, state, runtime } = this.#request(call, id);
    try {
      return await policy.description({ name: toolName, args, id: String(toolCall.id) }, state, runtime);
    } catch (error) {
      return `${text}\n\n(Its own description failed: ${error instanceof Error ? error.message : String(error)})`;
    }
  }
}
