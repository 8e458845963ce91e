import type { ContentBlock } from './content.ts';

type SampledContent = Extract<ContentBlock, { type: 'text' | 'image' | 'audio' }>;

/** What a tool asks the host's model (MCP 2025-11-25, Sampling). */
export interface SamplingRequest {
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly content: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];
  }[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly modelPreferences?: Readonly<Record<string, unknown>>;
  /** Tools that the model may ask for; only to a client that offers sampling with tools. */
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly toolChoice?: { readonly mode: 'auto' | 'required' | 'none' };
}

/** The model's answer; with tools, `content` may hold `tool_use` blocks for the tool to run. */
export interface SamplingAnswer {
  readonly model: string;
  readonly role: 'user' | 'assistant';
  readonly content: SampledContent | readonly Readonly<Record<string, unknown>>[];
  readonly stopReason?: string;
}

/** What a tool asks the user (MCP 2025-11-25, Elicitation): a form, or a page to visit. */
export type ElicitationRequest =
  | {
      readonly message: string;
      /** A flat JSON Schema object of primitive properties. */
      readonly requestedSchema: Readonly<Record<string, unknown>>;
    }
  | { readonly message: string; readonly url: string };

export interface ElicitationAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  /** What the user filled in, checked against the schema; only of an accepted form. */
  readonly content?: Readonly<Record<string, unknown>>;
}
