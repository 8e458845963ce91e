import type { z } from 'zod';
import type { CallContext, Trace } from '../context.ts';
import type { FileLines } from '../named/seen-lines.ts';
import type { Conversation, ConversationSteps, ConversationTool } from './converse.ts';
import type { Ledger } from './ledger.ts';
import type { ModelMessage, ToolUse } from './message.ts';

/** What a call is about: outcomes are recorded by it, and routing weighs by it. */
export type ModelCategory = 'general' | 'reasoning' | 'code' | 'context' | 'speed';

/** A tool as a model is told of it. */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/**
 * Who asks: a tool's `context` as it is, in a run's step the step, or just a signal where there is no client behind
 * the work. A step pays: its ledger and key go with it, and what it was answered is not asked again.
 */
export type ModelCaller = Pick<CallContext, 'signal'> &
  Partial<Pick<CallContext, 'sample' | 'sampling'>> & {
    readonly session?: { readonly id: string };
    readonly ledger?: Ledger;
    /** What its span is part of. */
    readonly trace?: Trace | undefined;
    /** The same for a call that is made again after a crash; handed to providers that take one. */
    readonly idempotencyKey?: string | undefined;
  };

export interface ModelRequest {
  /** A text is one message of the user. Text from outside belongs in it fenced; see `fence`. */
  readonly prompt: string | readonly ModelMessage[];
  readonly system?: string;
  /**
   * `provider:name`, a provider for its first model, or `auto` for the router's choice. Default: what the
   * config says, else the first model found, in the config's order.
   */
  readonly model?: string;
  /** Default `general`. */
  readonly category?: ModelCategory;
  /** Default 8192, or the model's own limit where that is lower. */
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly ledger?: Ledger;
  /** The same for a call that is made again after a crash; handed to providers that take one. */
  readonly idempotencyKey?: string;
  readonly onEvent?: (event: ModelEvent) => void;
}

export interface GenerateRequest extends ModelRequest {
  readonly tools?: readonly ModelTool[];
  /** Default `auto`. */
  readonly toolChoice?: 'auto' | 'required' | 'none';
}

export interface ObjectRequest<Schema extends z.ZodType> extends ModelRequest {
  /** What the answer must be; the model sees it as JSON Schema. */
  readonly schema: Schema;
  /** What the model may look at before it answers; without it, it knows what the request says. */
  readonly reading?: Reading;
}

/** Tools of one answer, as those of a conversation. */
export interface Reading {
  readonly tools: readonly ConversationTool[];
  /** Model calls at most, the answer included; default 25. */
  readonly maxSteps?: number;
  readonly steps?: ConversationSteps;
}

/** What happens while a model answers. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** The call is made again; nothing of it had been shown. */
  | { readonly type: 'retry'; readonly attempt: number; readonly waitMs: number; readonly reason: string }
  | { readonly type: 'usage'; readonly model: string; readonly usage: ModelUsage };

export interface ModelUsage {
  /** Those read from the provider's cache included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  /** Absent where no price is known. */
  readonly costUsd?: number;
  /** Counted here, or a bound from above: the provider did not say, or its price of what a cache gave is not known. */
  readonly isEstimated?: boolean;
}

export interface Generated {
  /** The assistant's message, to be put into the history as it is. */
  readonly message: ModelMessage;
  readonly text: string;
  readonly toolUses: readonly ToolUse[];
  /** `provider:name` of the model that answered. */
  readonly model: string;
  /** `length`: cut off at the limit of tokens. */
  readonly stopReason: 'end' | 'tool_use' | 'length' | 'other';
  readonly usage: ModelUsage;
}

export interface GeneratedObject<Value> {
  readonly value: Value;
  readonly model: string;
  /** Of all calls: what was read before it, and a repair. */
  readonly usage: ModelUsage;
  readonly wasRepaired: boolean;
  /** What it read with, in order; absent where it had no tools. */
  readonly toolCalls?: Conversation['toolCalls'];
  /** The lines of files that these showed it; absent where it had no tools. */
  readonly seen?: readonly FileLines[];
}
