import type { CallContext, Trace } from '../context.ts';
import type { ModelUsage } from '../models/generate.ts';
import type { Spend } from '../models/ledger.ts';
import type { Answer, AskedQuestion } from './question.ts';
import type { Choices, RunContract, RunKind, RunKindName } from './run-kind.ts';

/** The last three are final. `queued`: no process works on it now. `waiting`: for a person, a time, a child. */
export type RunStatus = 'queued' | 'running' | 'waiting' | 'paused' | 'completed' | 'failed' | 'cancelled';

/** A run on record. */
export interface Run {
  /** Cannot be guessed. */
  readonly id: string;
  readonly kind: string;
  readonly version: number;
  /** For people. */
  readonly title: string;
  readonly status: RunStatus;
  /** What it does now, or why it stands as it does. */
  readonly message?: string;
  /** The run that waits for it, and the step that does. */
  readonly parentId?: string;
  readonly parentStep?: string;
  /** The first of its family. */
  readonly rootId: string;
  /** The run that it repeats. */
  readonly rerunOf?: string;
  /** ISO 8601, as are the others. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly endedAt?: string;
  /** Of a completed run. */
  readonly output?: unknown;
  /** Of a failed, cancelled or paused run. */
  readonly error?: RunError;
  /** Of the whole family. */
  readonly budget: Budget;
  /**
   * Said by `resume`: how often processes have died while they did the run, or what it is part of, since it began. From
   * then on they are counted anew, and three in a row end it. Absent where none has.
   */
  readonly deaths?: number;
  /** Of all calls of models by the run itself and all below it, also those that came to nothing; none that it kept. */
  readonly usage: RunUsage;
  /** What the run or one that it waits for asks a person, oldest first; absent where nothing is open. */
  readonly asks?: readonly AskedQuestion[];
}

export interface RunError {
  /** Of the error table. */
  readonly code: string;
  readonly message: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** As the ledger has it. */
export interface RunUsage extends ModelUsage {
  /** Of models, that came to an end. */
  readonly calls: number;
  /** US dollars of the calls with a known price, where others have none and `costUsd` is absent. */
  readonly pricedUsd?: number;
  /**
   * Calls of an earlier run whose answers this one, or one below it, used and did not ask for anew: paid by that one, and
   * in no other figure. Absent where none is.
   */
  readonly keptCalls?: number;
  /** See `Budget.unknownCalls`. */
  readonly unknownCalls?: number;
}

export interface Budget {
  readonly spent: Spend;
  /** What calls in flight may cost. */
  readonly reserved: Spend;
  /** Calls that were interrupted, each also where it was made again: nobody knows what they cost. Absent where none is. */
  readonly unknownCalls?: number;
  readonly cap?: Partial<Spend>;
}

/** A value as a run shows it. */
export interface ShownValue {
  /** Its JSON, whole or the beginning of it. */
  readonly json: string;
  /** Of the whole. */
  readonly characters: number;
}

export interface RunStep {
  readonly name: string;
  readonly title: string;
  readonly kind: 'step' | 'child' | 'sleep' | 'question' | 'value' | 'event';
  /** `interrupted`: it has no end, and nobody does it: its run has ended, or the process that did it. */
  readonly status: 'running' | 'waiting' | 'completed' | 'failed' | 'interrupted';
  readonly attempt: number;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly spent: Spend;
  readonly error?: RunError;
  /** What it was given, where that is on record: its beginning. What a model is asked is made of what came before. */
  readonly input?: ShownValue;
  /** What it came to; the whole by `Runs.outputOf`. */
  readonly output?: ShownValue;
  /** The beginning of what a tool answered that failed: the step has its answer, and the call came to nothing. */
  readonly refusal?: string;
  /** Of a step that a child run does. */
  readonly childId?: string;
  /** In a graph: where it belongs. */
  readonly node?: string;
}

/** A run with all that is known of it. */
export interface RunDetail extends Run {
  readonly input: unknown;
  readonly definitionHash?: string;
  /** In the order of their beginning. */
  readonly steps: readonly RunStep[];
  /** Of a page: steps that it has no room for. `RunPage.after` takes it. */
  readonly more?: { readonly after: number; readonly steps: number };
  readonly questions: readonly AskedQuestion[];
  /** Answers to what it does not ask yet, by the name that was given. */
  readonly keptAhead?: readonly KeptAnswer[];
  /** Runs that it waits for, or waited for, each with its own. */
  readonly children: readonly RunDetail[];
  /** Ids of children that lie too deep to be shown with their family; each is read by itself. */
  readonly deeper?: readonly string[];
  /** Ids of the runs that the call of a job has begun: they are no children, since they may go on after it. */
  readonly begun?: readonly string[];
  /** Arrows between nodes, of a graph. */
  readonly edges?: readonly { readonly from: string; readonly to: string; readonly isBack?: boolean }[];
}

/** An answer that waits for its question; nobody has checked it. */
interface KeptAnswer {
  readonly name: string;
  readonly answer: Answer;
  /** ISO 8601. */
  readonly answeredAt: string;
}

/** One thing that happened in a run. */
export interface RunEvent {
  readonly runId: string;
  /** Counts up in the run: who has seen one has seen those below. */
  readonly seq: number;
  readonly type: string;
  readonly step?: string;
  /** How the step is called for people, where it begins. */
  readonly title?: string;
  readonly attempt?: number;
  readonly data?: unknown;
  readonly at: string;
}

export interface StartRun {
  readonly title?: string;
  /** What the run is to be made by, such as a workflow's file: kept with it, whatever becomes of the file. */
  readonly definition?: unknown;
  /** What the run and its children may spend; at the cap it pauses. */
  readonly cap?: Partial<Spend> | undefined;
  /** From now; then it fails with NEXUS_TIMEOUT. */
  readonly timeoutMs?: number | undefined;
  /**
   * Of the same kind, and the caller's user's own: a second start with it for the same request finds the first,
   * another request is NEXUS_CONFLICT. One that was cancelled, or failed as a retry may mend, goes on in a new run
   * under its key, with what it had done.
   */
  readonly key?: string;
  /** What the key stands for, such as the arguments of a call, in the place of the run's input. */
  readonly request?: unknown;
  /** Keeps runs of one key out of each other's way. */
  readonly concurrency?: Concurrency | undefined;
  /** Binds this run to the machine that begins it, as `RunKindName.place` does all runs of a kind. */
  readonly place?: 'machine' | undefined;
  /**
   * The folders of the project, relative to it, that its tools may read, kept with it however often it goes on; by
   * default those of the run that it is a child of, or else all of the project.
   */
  readonly roots?: readonly string[] | undefined;
  /**
   * The call it comes from: whose tools it gets, who sees it, and whose child it is; and whose client's own model
   * its steps may ask, in this process and as long as the call is there.
   */
  readonly caller?: RunCaller;
}

/** Of the runs of a key, whatever their kinds, only so many go on at a time over all servers of the project. */
export interface Concurrency {
  readonly key: string;
  /** Default 1. One that is paused or waits counts too. */
  readonly limit?: number | undefined;
  /**
   * What becomes of one more: it waits for its turn (the default), is NEXUS_CONFLICT, or has the oldest cancelled to
   * begin in their place.
   */
  readonly onConflict?: (typeof conflictRules)[number] | undefined;
}

export const conflictRules = ['queue', 'refuse', 'cancel-older'] as const;

/** What a call's context says of who calls. */
export interface RunCaller extends Partial<Pick<CallContext, 'sampling' | 'sample'>> {
  readonly session: { readonly id: string };
  /** Absent for whoever runs as the same user as the server. */
  readonly user?: string | undefined;
  /** What the run is part of. */
  readonly trace?: Trace | undefined;
  /** The step that the call comes from: what starts for it is a child of that step's run. */
  readonly run?: RunOfCall | undefined;
}

/** The step of a run from which a call comes. */
export interface RunOfCall {
  readonly id: string;
  readonly step: string;
}

/** Whose run it must be: another's is as if it were not there. By default anybody's. */
export interface RunScope {
  readonly user?: string | undefined;
}

/** Part of a run with many steps: children have their place under the steps that are shown. */
export interface RunPage {
  /** The most steps, of the run and of all its children. */
  readonly most: number;
  /** Where the page before said that it has `more`; by default from the first step on. */
  readonly after?: number | undefined;
}

export interface RunQuery {
  readonly status?: RunStatus | undefined;
  readonly kind?: string | undefined;
  /** Only those of this user; by default, of all. */
  readonly user?: string | undefined;
  readonly limit: number;
}

/** How far a run is, in the parts that it knows of. */
export interface RunCount {
  readonly runId: string;
  readonly message: string;
  readonly done: number;
  readonly total: number;
}

export interface WaitForRun extends RunScope {
  /** By default, as long as it takes. */
  readonly waitMs?: number;
  readonly signal: AbortSignal;
  /**
   * Whom its end is handed to: a call, with the step that it comes from, or whoever asked otherwise (`{}`). Only who
   * was told that nobody knows an outcome has it done again. By default it counts as told to nobody.
   */
  readonly toldTo?:
    | (Pick<RunCaller, 'run'> &
        Partial<Pick<CallContext, 'noteUnknown' | 'isForClient' | 'afterAnswer' | 'idempotencyKey'>>)
    | undefined;
  /** Each event of the run and its children, once. */
  readonly onEvent?: (event: RunEvent) => void;
  /** How far a run of its family is, where that is run in this process: nothing is kept of it. */
  readonly onCount?: (count: RunCount) => void;
  /**
   * Puts each open question, once, to a person who is there; `undefined` leaves it open, and where nothing else
   * is left to wait for, the wait ends. The signal fires when there is no more to answer.
   */
  readonly ask?: (question: AskedQuestion, signal: AbortSignal) => Promise<Answer | undefined>;
}

/** What running again from a step would do. */
export interface RerunPlan {
  readonly runId: string;
  /** Steps that are kept, with what they came to. */
  readonly kept: readonly string[];
  /**
   * Steps that were cut off where doing them twice could do harm: what goes on fails at them and tells so, and does them
   * again for whoever has it go on once more.
   */
  readonly unknown?: readonly string[];
  /** The run of unknown outcome that nobody was told of yet: it is found, and told, in place of all this. */
  readonly toldFirst?: string;
  /** Steps that would be done again, with what of their work is to be paid again. */
  readonly repeated: readonly RepeatedStep[];
  /** Of all repeated: what is known of it, if what has its answer is asked for as it was. */
  readonly cost: Spend;
  /** The same, if none of that is; absent where nothing has its answer. */
  readonly costAtMost?: Spend;
  /** Of all repeated: calls that nobody saw the end of, whose cost is in no figure. Absent where none is. */
  readonly unknownCalls?: number;
}

interface RepeatedStep {
  readonly name: string;
  /** With what its runs cost again. */
  readonly spent: Spend;
  /** See `RerunPlan.unknownCalls`. */
  readonly unknownCalls?: number;
  /**
   * Calls that it had made, whose answers it is given where it asks for the same: these are not paid again. Absent where
   * none is.
   */
  readonly answered?: {
    /** Of models. */
    readonly calls: number;
    /** What those cost again, beside `spent`, if it asks for something else. */
    readonly spent: Spend;
    /**
     * What was done that must not be done twice: tools, or the step itself. Where it is asked for something else it is
     * told first, as what is `unknown`.
     */
    readonly once?: readonly string[];
    /** Whether nothing says what the step was given: then it is told first in any case. */
    readonly isUnsaid?: true;
  };
  /**
   * What was done in it, or may have been, that must not be done twice, and is done again: tools, or the step itself.
   * Absent where nothing is.
   */
  readonly again?: readonly string[];
  /**
   * The runs that it had begun: each goes on as by `takeUp`, if the step asks for the same, or is begun anew. Of one that
   * is begun anew, only the steps are there in which something must not be done twice.
   */
  readonly runs?: readonly (RerunPlan & { readonly isAnew: boolean })[];
}

export interface RerunOptions extends RunScope {
  /** The first step to do again; by default all are. */
  readonly from?: string;
  /** In place of the run's own; NEXUS_INVALID_ARGUMENTS for what its kind does not begin with. */
  readonly input?: unknown;
  /** As of a start: a second rerun with it finds the first. */
  readonly key?: string | undefined;
  readonly request?: unknown;
  readonly cap?: Partial<Spend> | undefined;
  readonly caller?: RunCaller | undefined;
}

export interface TakeUp extends RunScope {
  /** The same call under it, made again, is about the run that it took up the first time. */
  readonly key?: string | undefined;
  readonly cap?: Partial<Spend> | undefined;
  /** Who waits for it now. It stays its user's. */
  readonly caller?: RunCaller | undefined;
}

export interface PlanRerun extends RunScope {
  /**
   * The first step that is done again: by its name, its title, or, of a graph, its node or a visit (`after#2`).
   * NEXUS_CONFLICT for what may be several, with those.
   */
  readonly from?: string;
  /** In its place: what `takeUp` would do. */
  readonly goesOn?: boolean;
  /** See `RerunOptions.input`. */
  readonly input?: unknown;
}

/**
 * Durable work: on record before it begins, gone on with after a crash, by any process of the project. For a
 * caller with a name (`call.user`), name it in each: then another's run is NEXUS_NOT_FOUND.
 */
export interface Runs {
  /** Whether a plugin of this server has the kind: one that none has waits for a server where one does. */
  knows(kind: RunKindName): boolean;
  /** What the plugin that has the kind says of fields of its input; nothing of a kind that none has. */
  choices(kind: RunKindName): Choices;
  /**
   * @throws {ToolError} NEXUS_CONFLICT when the key stands for another input; NEXUS_INVALID_ARGUMENTS for one that is
   * none of the kind's choices
   */
  start<Input, Output>(
    // biome-ignore lint/suspicious/noExplicitAny: the state is its plugin's affair
    kind: RunKind<any, Input, Output> | RunContract<Input, Output>,
    input: Input,
    options?: StartRun,
  ): Promise<Run>;
  /**
   * The run that a key stands for, without what a start would need to know: who looks here first need not look
   * at the world again. Undefined where none does.
   * @throws {ToolError} NEXUS_CONFLICT when the key stands for another request
   */
  startedUnder(
    kind: RunKindName,
    start: { readonly key: string; readonly request: unknown } & Pick<TakeUp, 'cap' | 'caller'>,
  ): Promise<Run | undefined>;
  /**
   * The run once it has ended, or paused, or `waitMs` are over, or `ask` left open all that it waits for.
   * @throws {ToolError} NEXUS_NOT_FOUND
   */
  wait(id: string, options: WaitForRun): Promise<Run>;
  /** @throws {ToolError} NEXUS_NOT_FOUND, for a run of another user too */
  get(
    id: string,
    options?: RunScope & { readonly page?: RunPage } & Pick<WaitForRun, 'toldTo'>,
  ): Promise<RunDetail>;
  /** `StartRun.definition` of the nearest run of one of these kinds: the run itself, or one above it. */
  definitionOf(id: string, kinds: readonly RunKindName[]): Promise<unknown>;
  /**
   * What a step of the run came to, whole.
   * @throws {ToolError} NEXUS_NOT_FOUND, where it has come to nothing too
   */
  outputOf(id: string, step: string, options?: RunScope): Promise<unknown>;
  /** Those that no other waits for, newest first; `total` counts those beyond the limit too. */
  list(query: RunQuery): Promise<{ readonly runs: readonly Run[]; readonly total: number }>;
  /** Of the run alone, after the one with that `seq`. */
  events(id: string, options?: { readonly after?: number } & RunScope): Promise<readonly RunEvent[]>;
  /** Ends the run and its children, wherever they are; one that has ended stays as it is. */
  cancel(id: string, options?: RunScope): Promise<Run>;
  /**
   * Answers a question, once; one that is not asked yet finds its answer there, if it fits.
   * @param options.digest what a yes is for: the question's own where it has one, or its first 8 characters and more
   * @param options.isWritten by a person who looks at the run: fields are text, and where the run itself has no
   *   question of that name, one of a run below it is meant too
   * @throws {ToolError} NEXUS_CONFLICT when it was answered, or is about something else; NEXUS_INVALID_ARGUMENTS
   *   for what does not fit its schema, a name by which the run can ask nothing, and a cancelled dialogue
   */
  answer(
    id: string,
    answer: Answer,
    options?: {
      readonly question?: string;
      readonly digest?: string;
      readonly isWritten?: boolean;
    } & RunScope,
  ): Promise<AskedQuestion>;
  /**
   * Lets a paused family go on, with another cap if one is given.
   * @throws {ToolError} NEXUS_BUDGET_EXCEEDED for a cap at which it would pause again at once, with what it takes
   */
  resume(id: string, options?: { readonly cap?: Partial<Spend> | undefined } & RunScope): Promise<Run>;
  /**
   * Goes on with a run wherever it stands: one that goes on or is complete is found, one that paused is resumed
   * with the cap. One that failed or was cancelled goes on in a new run, which whoever comes after finds: every step
   * that ended well is kept, whatever ran beside it. What began after a failure was known may rest on it, and is worked
   * through again: it is given the answers of the calls that it makes again, and goes on with the run that it had begun,
   * if it asks for the same. One that nobody knows the outcome of, and of which nobody was told, is found as it is: so
   * whoever waits for it is told, and who comes after that has it done again.
   */
  takeUp(id: string, options?: TakeUp): Promise<Run>;
  /** What `rerun`, or `takeUp`, would keep, repeat and cost. */
  planRerun(id: string, options?: PlanRerun): Promise<RerunPlan>;
  /**
   * A new run of the same kind and definition that keeps what came before `from`; what its steps had begun is begun anew.
   * Where one that was made of this run before is of unknown outcome, and nobody was told, it is that one, as by `takeUp`.
   */
  rerun(id: string, options?: RerunOptions): Promise<Run>;
}
