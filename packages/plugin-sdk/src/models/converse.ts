import type { ToolCaller, ToolCallResult } from '../tool-caller.ts';
import type { Generated, ModelCaller, ModelEvent, ModelRequest, ModelTool, ModelUsage } from './generate.ts';
import type { ModelMessage, ToolResult, ToolUse } from './message.ts';

/** What one step of a conversation is given: the end of its work, who asks and pays, and a key that a repetition shares. */
export interface ConversationStep extends ModelCaller {
  /** Where the tools of the conversation are called, for those that are Nexus's own. */
  readonly tools?: ToolCaller;
}

/** A tool that the model may use. */
export interface ConversationTool extends ModelTool {
  /** Only these run side by side and without being asked for. */
  readonly isReadOnly: boolean;
  /** False for a tool that can be called and that requests do not tell of: the model finds it by another one. */
  readonly isTold?: boolean;
  /** Whether a turn in which it was called is the last, unless a call of that turn failed. */
  readonly isLast?: boolean;
  call(input: Readonly<Record<string, unknown>>, step: ConversationStep): Promise<ToolCallResult>;
}

/** What is asked of whoever may say yes, for this call and these arguments alone. */
export type Approval = { readonly isGiven: true } | { readonly isGiven: false; readonly reason: string };

/**
 * The two side effects of a conversation, each of which a durable run makes a step of its own. What they
 * answer is plain JSON. `work` throws for a model call that fails, never for a tool.
 */
export interface ConversationSteps {
  /** @param turn from 1 */
  model(turn: number, work: (step: ConversationStep) => Promise<Generated>): Promise<Generated>;
  tool(
    turn: number,
    use: ToolUse,
    work: (step: ConversationStep) => Promise<ToolResult>,
  ): Promise<ToolResult>;
}

export interface ConverseRequest extends Omit<ModelRequest, 'onEvent' | 'idempotencyKey'> {
  readonly tools: readonly ConversationTool[];
  /** Model calls at most; default 25. */
  readonly maxSteps?: number;
  /** Whether the model is asked once more at that limit, without tools, for what it can say by then. */
  readonly answersAtLimit?: boolean;
  /** How much of one tool's result the model gets, head and tail; default 24 000 characters. */
  readonly maxResultChars?: number;
  /** After this long a call of a tool is given up and the model told; default 300 000. */
  readonly toolTimeoutMs?: number;
  /**
   * What a use stands for, where a tool that is told of calls others by their names: what is approved, called and
   * shown is then that one. The history keeps what the model said.
   */
  readonly resolve?: (use: ToolUse) => ToolUse;
  /** Asked before each call of a tool that is not read-only. Without it none of those is called. */
  readonly approve?: (use: ToolUse, tool: ConversationTool) => Promise<Approval>;
  /** What of the history is sent, before each request: the place to summarise. Checked for validity after. */
  readonly prepare?: (
    messages: readonly ModelMessage[],
  ) => readonly ModelMessage[] | Promise<readonly ModelMessage[]>;
  /** Keeps the whole of a result that is too long, and says where; the model is told. */
  readonly keep?: (use: ToolUse, text: string) => Promise<string>;
  readonly steps?: ConversationSteps;
  /** Watches the text as it comes: a model call of which a part was shown is never made again. */
  readonly onEvent?: (event: ConversationEvent) => void;
  /** Hears of tools and messages alone: a stream that breaks off is then made again, whatever had come of it. */
  readonly onTurn?: (event: TurnEvent) => void;
}

/** What happens in a conversation between the model's words. */
export type TurnEvent = Exclude<ConversationEvent, ModelEvent>;

export type ConversationEvent =
  | ModelEvent
  | { readonly type: 'tool_use'; readonly turn: number; readonly use: ToolUse }
  | {
      readonly type: 'tool_result';
      readonly turn: number;
      readonly use: ToolUse;
      readonly result: ToolResult;
    }
  /** Now part of the history, which is valid with it: also when the conversation is then cancelled. */
  | { readonly type: 'message'; readonly message: ModelMessage };

export interface Conversation {
  /** What the model said last. */
  readonly text: string;
  /** The whole history, what was given included. */
  readonly messages: readonly ModelMessage[];
  readonly toolCalls: readonly { readonly name: string; readonly isError: boolean }[];
  /** Of every model call. */
  readonly usage: ModelUsage;
  /** Of the model, which `usage` is of. */
  readonly calls: number;
  readonly model: string;
  /** Why it is over: it answered, spent its steps, or repeated the same call after it was told. */
  readonly endedBy: 'answer' | 'steps' | 'repetition';
}
