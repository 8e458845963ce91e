import type { z } from 'zod';
import type { CallContext } from '../../context.ts';
import type { Spend } from '../../models/ledger.ts';
import type { RouteRequest } from '../../models/route.ts';
import type { ToolDefinition } from '../../tool.ts';
import type { RunContext } from '../run-context.ts';
import type { RunKind, RunKindName } from '../run-kind.ts';
import type { Concurrency, Run, RunDetail } from '../runs.ts';

/** What must be there for a run to begin or to go on; else its call is refused, and nothing is on record. */
export interface Needs {
  /** A model that could be chosen for this. */
  readonly model?: RouteRequest;
  /** Kinds of other plugins that its steps start: a run that waits for what nobody here can do waits for ever. */
  readonly kinds?: readonly RunKindName[];
}

/** What every tool that is a run says of itself. `runId`, `usage` and `tookMs` are added to its output. */
interface RunToolCommon<State, Input extends z.ZodObject, Output extends z.ZodObject>
  extends Omit<
    ToolDefinition<State, Input, Output>,
    'isLong' | 'isResumable' | 'answersWholeResult' | 'run' | 'call'
  > {
  readonly needs?: Needs;
  /**
   * What the run and its children may spend; at the cap it pauses.
   * @param input empty for a call that resumes an earlier run
   */
  cap?(state: State, input: Partial<z.output<Input>>): Partial<Spend> | undefined;
}

/** A run on the arguments of its call, which it answers by itself. Its kind is called as the tool is. */
export interface PlainRunTool<State, Input extends z.ZodObject, Output extends z.ZodObject>
  extends RunToolCommon<State, Input, Output> {
  /** See `RunKindName.version`. */
  readonly version: number;
  /** See `RunKindName.place`. */
  readonly place?: RunKindName['place'];
  /** See `FunctionKind.run`. */
  run(input: z.output<Input>, context: RunContext<State>): Promise<z.input<Output>>;
  /** Of the run, for people; by default the tool's. */
  titleOf?(input: z.output<Input>): string;
}

/** What a run begins with: all that its call reads of the world, read once. */
export interface RunBeginning<RunInput> {
  readonly input: RunInput;
  /** For people; cut to a line. */
  readonly title: string;
  /** See `StartRun.definition`. */
  readonly definition?: unknown;
  /** From now; then the run fails, and what is done is kept. */
  readonly timeoutMs?: number | undefined;
  /** See `StartRun.concurrency`. */
  readonly concurrency?: Concurrency | undefined;
  /** See `StartRun.place`: where the input names what lies on this machine. */
  readonly place?: 'machine' | undefined;
}

/** A run whose input is made from the arguments, or that has a kind which others start too. */
export interface PreparedRunTool<
  State,
  Input extends z.ZodObject,
  Output extends z.ZodObject,
  RunInput,
  RunOutput,
> extends RunToolCommon<State, Input, Output> {
  readonly kind: RunKind<State, RunInput, RunOutput>;
  /**
   * Reads what the run is to begin with. Called where no run stands under the call's key and it resumes none: a
   * call that is made again goes on with its run, whatever has become of the world since.
   * @returns or `answer`, for a call that only asks, such as for a dry run
   * @throws {ToolError}
   */
  prepare(
    input: z.output<Input>,
    call: CallContext<State>,
  ): RunPreparation<RunInput, Output> | Promise<RunPreparation<RunInput, Output>>;
  /** What the tool answers once the run is complete. */
  answer(output: RunOutput, ended: EndedRun<State, Input>): z.input<Output> | Promise<z.input<Output>>;
}

type RunPreparation<RunInput, Output extends z.ZodObject> =
  | RunBeginning<RunInput>
  | { readonly answer: z.input<Output> };

/** The run that a call came to. */
export interface EndedRun<State, Input extends z.ZodObject> {
  readonly run: Run;
  /** The arguments of this call; empty for one that resumes an earlier run. */
  readonly input: Partial<z.output<Input>>;
  readonly call: CallContext<State>;
  /** With its input, steps and children, which are read for it. */
  detail(): Promise<RunDetail>;
}
