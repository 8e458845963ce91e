import type { ContentBlock } from '../content.ts';

/** Facts that a provider wants back unchanged with its own block, such as signatures; by provider. */
type Marked = { readonly _meta?: Readonly<Record<string, unknown>> };

/** What the model asks to have called (MCP 2025-11-25, `ToolUseContent`). */
export interface ToolUse extends Marked {
  readonly type: 'tool_use';
  /** Unique in the conversation; its result answers under it. */
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Why `input` is empty: what the model wrote was no JSON object. */
  readonly fault?: string;
}

/** What became of a tool use (MCP 2025-11-25, `ToolResultContent`). */
export interface ToolResult {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly isError?: boolean;
}

/** What the model thought; given back to the same model only. */
export interface Reasoning extends Marked {
  readonly type: 'reasoning';
  readonly text: string;
}

export type ModelBlock = (ContentBlock & Marked) | ToolUse | ToolResult | Reasoning;

/**
 * One message of a conversation, plain JSON: it can be stored, sent on and replayed. Every tool use of an
 * assistant message is answered by the user message after it, which begins with those results.
 */
export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ModelBlock[];
}
