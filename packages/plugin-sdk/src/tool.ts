import type { z } from 'zod';
import type { CallContext } from './context.ts';
import type { Icon } from './icon.ts';
import type { Label } from './label.ts';
import type { AnyRunKind } from './runs/run-kind.ts';

/**
 * The four behaviour hints of MCP 2025-11-25 (`ToolAnnotations`). All are required, since a host that
 * gets none assumes the worst; the tool's body must keep the word of each.
 */
export interface ToolHints {
  /** Writes nothing that a later call could see. */
  readonly readOnlyHint: boolean;
  /** May delete or overwrite what the caller did not name. */
  readonly destructiveHint: boolean;
  /** Run twice with the same arguments, it leaves the same state as run once. */
  readonly idempotentHint: boolean;
  /** Opens a connection outside this machine. */
  readonly openWorldHint: boolean;
}

/** How long a call may take: 60, 120, 300, 600 and 900 seconds, in this order. */
export type BudgetClass = 'interactive' | 'network' | 'model' | 'panel' | 'pipeline';

/** One tool, whole: registration, JSON Schema, deadline, docs and the governance lock derive from it. */
export interface ToolDefinition<State, Input extends z.ZodObject, Output extends z.ZodObject> {
  /** `^[a-z][a-z0-9_]{0,47}$`, unique among all plugins. */
  readonly name: string;
  /** For people, in a host's menus. */
  readonly title: string;
  /** When to use it, what it gives back, what it does not do. */
  readonly description: string;
  /** Flat at the top; every property described, every limit stated. */
  readonly input: Input;
  /**
   * Names that models give in the place of arguments, and where what they mean goes: `{ folder: 'directory' }`, or
   * inside of one, `{ tags: 'metadata.tags' }`. A call with one is refused, and told so; no list shows them.
   */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The shape of `structuredContent`; every answer is checked against it. */
  readonly output: Output;
  readonly annotations: ToolHints;
  readonly icons?: readonly Icon[];
  readonly budget: BudgetClass;
  /**
   * Of its answers; by default private, and untrusted where the tool reaches out of the machine. One answer may say
   * more of itself by `context.label`.
   */
  readonly label?: Partial<Label>;
  /**
   * Reaches out by models and by the tools that it calls, and by nothing else: what goes out is looked at with each of
   * those calls.
   */
  readonly isConduit?: boolean;
  /**
   * For a tool that may run for minutes. Its callers may also ask for a job: by an MCP task, by
   * `dispatch: "async"`, or by an `idempotencyKey`. Those two arguments are added to its input and never
   * reach `call`; `jobId` and `jobStatus` are added to its output. A job has no client to ask back.
   */
  readonly isLong?: boolean;
  /**
   * For a tool that takes up its own work: called again under the same `context.idempotencyKey`, it goes on with
   * what the first call began, or finds it done. A job or a step with it whose server died runs on at the next one,
   * whatever its hints.
   */
  readonly isResumable?: boolean;
  /**
   * Of a tool that is a run, its kind; `defineRunTool` makes such. `runId`, `usage` and `tookMs` are added to
   * its output.
   */
  readonly run?: AnyRunKind<State>;
  /**
   * `call` returns the whole result as it is to arrive, and `output` is its shape: text that is to be read and not
   * taken apart, or another tool's result. No output schema is listed.
   */
  readonly answersWholeResult?: boolean;
  /**
   * An answer as a model reads it, in the place of its JSON; `structuredContent` stays for programs. Holds all that a
   * reader needs of it: where a model gets the text, it gets nothing else.
   */
  readonly text?: (answer: z.output<Output>) => string;
  /**
   * Finds or uses other tools, so that `profile: lean`, which lists few, lists it. The others stay callable by
   * name and through it.
   */
  readonly isListedWhenLean?: boolean;
  /** Does its work by models: `tools/list` leaves it out where there is none, and says so when there is one. */
  readonly needsModel?: boolean;
  /** Tools that must have succeeded first in the session; the caller is told which. */
  readonly requires?: readonly string[];
  /** @throws {ToolError} what the caller can mend; anything else thrown is an internal error. */
  call(input: z.output<Input>, context: CallContext<State>): Promise<z.input<Output>>;
}

/** A tool of any input and output, as lists of tools hold it. */
// biome-ignore lint/suspicious/noExplicitAny: the input is contravariant, so no narrower type accepts every tool
export type AnyTool<State = any> = ToolDefinition<State, any, any>;

/**
 * Types a tool. Annotate the second parameter of `call` as `CallContext<MyState>` where the tool reads
 * what the plugin's `start` returned; input and output are inferred from their schemas.
 */
export function defineTool<State, Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: ToolDefinition<State, Input, Output>,
): ToolDefinition<State, Input, Output> {
  return tool;
}
