import type { RunBeginning } from './for-calls/run-tool.ts';
import type { RunContext } from './run-context.ts';
import type { RunGraph } from './run-graph.ts';

/** Names by the field of an input that is one of them. */
export type Choices = Readonly<Record<string, readonly string[]>>;

/** What tells kinds apart. A run goes on only where its name and version are known. */
export interface RunKindName {
  /** `<plugin>.<what>`, such as `experts.turn`. */
  readonly name: string;
  /**
   * Counts up with each change that runs in flight could not go on under. Keep the old kind beside the new
   * one for as long as such runs may be on record.
   */
  readonly version: number;
  /**
   * `machine` where what a run makes lies on the machine that it was begun on, such as a worktree: it and all below
   * it go on there alone. By default any machine of the project goes on with it.
   */
  readonly place?: 'machine' | undefined;
  /** A run of it is the work of one agent: traces call it that, and all others workflows. */
  readonly isAgent?: true | undefined;
  /**
   * What a field of its input may be, where that is one of a few. The plugin that has the kind says it: whoever
   * starts a run of it is held to that, and is told it by `Runs.choices`.
   */
  readonly choices?: Choices | undefined;
}

/**
 * What one plugin knows of a kind of another: enough to start it, or to have it as a child. Where no plugin of
 * the server knows it (`Runs.knows`), such a run waits for a server that does.
 */
export interface RunContract<Input, Output> extends RunKindName {
  /** Never there: it carries the types. */
  readonly contract?: (input: Input) => Output;
}

interface Rerunnable<Input> extends RunKindName {
  /**
   * What a rerun with another input begins with, which is held to what a first start is held to.
   * @throws {ToolError} NEXUS_INVALID_ARGUMENTS
   */
  anew?(input: unknown, definition: unknown): Pick<RunBeginning<Input>, 'input' | 'title' | 'concurrency'>;
}

/**
 * A plain async function that survives its process: killed anywhere, it is run again from its beginning, and
 * every step that had ended answers from the record. So all that differs between two times (clock, chance,
 * files, network, models, tools) belongs in steps, and between two steps there is nothing to wait for.
 */
export interface FunctionKind<State, Input, Output> extends Rerunnable<Input> {
  run(input: Input, context: RunContext<State>): Promise<Output>;
}

/** A graph of visits; one of any length, since it goes on in child runs before its record grows long. */
export interface GraphKind<State, Input, Output> extends Rerunnable<Input> {
  /** Builds the graph of the input, and nothing else: asked again at each start. */
  graph(input: Input, context: Pick<RunContext<State>, 'definition' | 'state' | 'host'>): RunGraph<Output>;
}

export type RunKind<State = unknown, Input = unknown, Output = unknown> =
  | FunctionKind<State, Input, Output>
  | GraphKind<State, Input, Output>;

/** A kind of any state, input and output, as a plugin lists it. */
// biome-ignore lint/suspicious/noExplicitAny: state and input are contravariant, so no narrower type takes every kind
export type AnyRunKind<State = any> = RunKind<State, any, any>;

/**
 * Types a kind of run; a plugin lists it under `runs`, where none of its tools is that run (`defineRunTool`). Input and output are plain JSON. Annotate the second
 * parameter as `RunContext<MyState>` where it reads what the plugin's `start` returned.
 */
export function defineRun<State, Input, Output>(
  kind: FunctionKind<State, Input, Output>,
): FunctionKind<State, Input, Output>;
export function defineRun<State, Input, Output>(
  kind: GraphKind<State, Input, Output>,
): GraphKind<State, Input, Output>;
export function defineRun<State, Input, Output>(
  kind: RunKind<State, Input, Output>,
): RunKind<State, Input, Output> {
  return kind;
}
