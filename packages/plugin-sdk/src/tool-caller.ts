import type { ToolHints } from './tool.ts';

/** A finished call as it goes to the client: `isError` marks a tool error, with its text in `content`. */
export interface ToolCallResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A tool as other tools and prompts see it. */
export interface ToolSummary {
  readonly name: string;
  /**
   * What a list of allowed tools means it by: of a toolbox's tool `{toolbox}__{server}__{its server's own name}`,
   * whatever config and session call it, else its name.
   */
  readonly origin: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolHints;
  /**
   * Whether a call may be made again, under the same idempotency key, where nobody knows whether it arrived: by
   * its hints, or since it takes up its own work then (`isResumable`).
   */
  readonly isRepeatable: boolean;
  /** JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** What of a call's arguments does not fit. */
export interface ArgumentFault {
  /** Dotted; empty for all of them. */
  readonly path: string;
  /** What is wrong there, with the nearest name where it has none. */
  readonly message: string;
}

/** The tools the caller can see, callable from inside a tool. */
export interface ToolCaller {
  /** Sorted by name. */
  list(): readonly ToolSummary[];
  /** Undefined where the caller sees no tool of that name. */
  find(name: string): ToolSummary | undefined;
  /** What a call with these arguments would be refused for, without making it; nothing where there is no such tool. */
  check(name: string, args: Readonly<Record<string, unknown>>): Promise<readonly ArgumentFault[]>;
  /**
   * Runs a call with `params` as a client would send them in `tools/call`: same normalisation,
   * validation and limits, never past the deadline of the outer call, whose client sees its progress.
   * @throws what the wire would answer as a protocol error: unknown tool, `arguments` that is no object
   */
  call(name: string, params: Readonly<Record<string, unknown>>): Promise<ToolCallResult>;
  /**
   * In the step of a run: has a tool in sight by its `origin`, though its toolbox is not open. Nothing where it is no
   * toolbox's tool. Elsewhere absent: a client opens toolboxes itself.
   * @throws {ToolError} NEXUS_NOT_FOUND naming the nearest; NEXUS_UNAVAILABLE where its server can't be reached
   */
  reach?(origin: string): Promise<void>;
}
