import type { ContentBlock } from './content.ts';
import type { Host } from './host.ts';
import type { Icon } from './icon.ts';
import type { ResourceContext } from './resource.ts';
import type { ToolSummary } from './tool-caller.ts';

/** An argument of a prompt (MCP `PromptArgument`). */
export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** Values that start with, or contain, what was typed so far; at most 100 are sent (MCP completion). */
  complete?(typed: string, context: PromptContext): readonly string[] | Promise<readonly string[]>;
}

/** What a prompt may build on; `tools` are those that exist, so that it never names one that does not. */
export interface PromptContext<State = unknown> {
  readonly state: State;
  readonly host: Host;
  readonly tools: readonly ToolSummary[];
  /** As whoever reads a resource has them. */
  readonly roots: ResourceContext['roots'];
}

/** One message of a rendered prompt. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

/** A prompt of MCP `prompts/get`. */
export interface PromptDefinition<State = unknown> {
  /** `^[a-z][a-z0-9-]{0,47}$`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly icons?: readonly Icon[];
  readonly arguments: readonly PromptArgument[];
  /**
   * @param values by argument name; required ones are there, checked before
   * @returns text stands for one message of the user
   */
  render(
    values: Readonly<Record<string, string>>,
    context: PromptContext<State>,
  ): Rendered | Promise<Rendered>;
}

type Rendered = string | readonly PromptMessage[];
