import type { BudgetClass, CallContext, Label, ToolCallResult, ToolHints } from '@nexus/plugin-sdk';
import type { TimedEnd } from '../timeouts/timed-end.ts';

/** A tool exactly as `tools/list` serves it (MCP 2025-11-25, `Tool`); unknown keys are kept. */
export interface ToolListing {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

/** One fault of the arguments. */
export interface Issue {
  /** Dotted, with indexes: `ops.0.tool`; empty for the arguments as a whole. */
  readonly path: string;
  readonly message: string;
}

export type Validation =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Whether calls of a tool run as MCP tasks (2025-11-25, `ToolExecution`). */
export type TaskSupport = 'forbidden' | 'optional' | 'required';

/** What a call brings with it; state, host and attachments are the plugin's side. */
export interface CallerContext extends Omit<CallContext, 'state' | 'host' | 'attach' | 'progress'> {
  /** Fires with `signal`, and costs nothing: what only passes the call on waits for this. */
  readonly end: TimedEnd;
  /** As a plugin's, except that a report of another server may have no message. */
  progress(message: string | undefined, done?: number, total?: number): void;
  /** The `_meta` of the call, as sent: what a server behind this one is to get too. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** What the dispatcher needs of a tool, whether it is a plugin's or a downstream server's. */
export interface RegisteredTool {
  readonly name: string;
  /** Of a tool of a toolbox: what it is, whatever it is called here; a word that names it is bound to this. */
  readonly origin?: string | undefined;
  /** The plugin it belongs to. */
  readonly plugin: string;
  readonly listing: ToolListing;
  readonly hints: ToolHints;
  /** Of its answers, where they are other than its hints say. */
  readonly label?: Partial<Label> | undefined;
  /** Reaches out by models and by other tools alone, whose calls are looked at themselves. */
  readonly isConduit?: boolean | undefined;
  /** Its results are those of the tools that it calls, unchanged: no label is added to them. */
  readonly passesResultsOn?: boolean | undefined;
  readonly budget: BudgetClass;
  /** Milliseconds, in place of the class's. */
  readonly budgetMs?: number | undefined;
  /** False for a tool that can be called and that `tools/list` leaves out. */
  readonly isListed?: boolean | undefined;
  /** Whether its calls may run as jobs by their arguments; what `validate` answers then holds `dispatch` too. */
  readonly isLong: boolean;
  /** Whether a call that is made again under its key goes on with the first one's work. */
  readonly isResumable?: boolean | undefined;
  /** Of a tool that is a run: its kind, by which `resumeRun` finds the tool. */
  readonly runKind?: string | undefined;
  /** Its `execution.taskSupport`; by default optional for a long tool, forbidden for any other. */
  readonly taskSupport?: TaskSupport | undefined;
  /** What is meant by names that are none of its arguments; known once it is loaded. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** Tools that must have succeeded first in the session. */
  readonly requires: readonly string[];
  /** Whether `profile: lean` lists it by itself. */
  readonly isListedWhenLean?: boolean | undefined;
  /** Whether every call of it leaves the machine, whatever its hints say. */
  readonly isElsewhere?: boolean | undefined;
  /** Whether `tools/list` shows it only to who has a model. */
  readonly needsModel?: boolean | undefined;
  /**
   * Makes ready what the members below need, for a tool that is made by its first call; undefined once it is.
   * Awaited before each of them is used.
   */
  load?(): Promise<void> | undefined;
  validate(args: Readonly<Record<string, unknown>>): Validation;
  /** Whether the schema declares this top-level property and the value fits it. */
  fits(key: string, value: unknown): boolean;
  /** Whether this could be its structured content, by the output schema it is listed with. */
  fitsOutput?(structure: unknown): boolean;
  /** @param value what `validate` answered, without what asks for a job */
  run(value: unknown, context: CallerContext): Promise<ToolCallResult>;
}
