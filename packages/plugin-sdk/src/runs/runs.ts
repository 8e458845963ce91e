import type { Spend } from '../models/ledger.ts';
import type { Answer, AskedQuestion } from './question.ts';
import type { RunContract, RunKind, RunKindName } from './run-kind.ts';

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
}

export interface RunError {
  /** Of the error table. */
  readonly code: string;
  readonly message: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface Budget {
  readonly spent: Spend;
  /** What calls in flight may cost. */
  readonly reserved: Spend;
  readonly cap?: Partial<Spend>;
}

export interface RunStep {
  readonly name: string;
  readonly title: string;
  readonly kind: 'step' | 'child' | 'sleep' | 'question' | 'value' | 'event';
  readonly status: 'running' | 'waiting' | 'completed' | 'failed';
  readonly attempt: number;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly spent: Spend;
  readonly error?: RunError;
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
  readonly questions: readonly AskedQuestion[];
  /** Runs that it waits for, or waited for, each with its own. */
  readonly children: readonly RunDetail[];
  /** Arrows between nodes, of a graph. */
  readonly edges?: readonly { readonly from: string; readonly to: string; readonly isBack?: boolean }[];
}

/** One thing that happened in a run. */
export interface RunEvent {
  readonly runId: string;
  /** Counts up in the run: who has seen one has seen those below. */
  readonly seq: number;
  readonly type: string;
  readonly step?: string;
  readonly attempt?: number;
  readonly data?: unknown;
  readonly at: string;
}

export interface StartRun {
  readonly title?: string;
  /** What the run is to be made by, such as a workflow's file: kept with it, whatever becomes of the file. */
  readonly definition?: unknown;
  /** Lent for as long as its lender holds it in this process; see `RunContext.live`. */
  readonly live?: unknown;
  /** What the run and its children may spend; at the cap it pauses. */
  readonly cap?: Partial<Spend>;
  /** From now; then it fails with NEXUS_TIMEOUT. */
  readonly timeoutMs?: number;
  /**
   * Of the same kind: a second start with it and the same input finds the first, another input is NEXUS_CONFLICT.
   * One that was cancelled begins anew under its key, with what it had done.
   */
  readonly key?: string;
  /** The call it comes from: whose tools it gets, who sees it, and whose child it is. */
  readonly caller?: RunCaller;
}

/** What a call's context says of who calls. */
export interface RunCaller {
  readonly session: { readonly id: string };
  /** Absent for whoever runs as the same user as the server. */
  readonly user?: string | undefined;
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

export interface RunQuery {
  readonly status?: RunStatus | undefined;
  readonly kind?: string | undefined;
  /** Only those of this user; by default, of all. */
  readonly user?: string | undefined;
  readonly limit: number;
}

export interface WaitForRun extends RunScope {
  /** By default, as long as it takes. */
  readonly waitMs?: number;
  readonly signal: AbortSignal;
  /** Each event of the run and its children, once. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Puts a question to a person who is there; `undefined` leaves it open. */
  readonly ask?: (question: AskedQuestion) => Promise<Answer | undefined>;
}

/** What running again from a step would do. */
export interface RerunPlan {
  readonly runId: string;
  /** Steps that are kept, with what they came to. */
  readonly kept: readonly string[];
  /** Steps that would be done again, with what they cost then. */
  readonly repeated: readonly { readonly name: string; readonly spent: Spend }[];
  /** Of all repeated. */
  readonly cost: Spend;
}

export interface RerunOptions extends RunScope {
  /** The first step to do again; by default all are. */
  readonly from?: string;
  /**
   * In the place of `from`: the run goes on where it stood. Every step that ended well is kept, whatever ran
   * beside it; only what began after a failure was known is done again, for it may rest on it.
   */
  readonly goesOn?: boolean;
  /** In place of the run's own. */
  readonly input?: unknown;
  readonly cap?: Partial<Spend>;
  readonly live?: unknown;
  readonly caller?: RunCaller;
}

/**
 * Durable work: on record before it begins, gone on with after a crash, by any process of the project. For a
 * caller with a name (`call.user`), name it in each: then another's run is NEXUS_NOT_FOUND.
 */
export interface Runs {
  /** Whether a plugin of this server has the kind: one that none has waits for a server where one does. */
  knows(kind: RunKindName): boolean;
  /**
   * @throws {ToolError} NEXUS_CONFLICT when the key stands for another input
   */
  start<Input, Output>(
    // biome-ignore lint/suspicious/noExplicitAny: the state is its plugin's affair
    kind: RunKind<any, Input, Output> | RunContract<Input, Output>,
    input: Input,
    options?: StartRun,
  ): Promise<Run>;
  /**
   * The run once it has ended, or paused, or `waitMs` are over.
   * @throws {ToolError} NEXUS_NOT_FOUND
   */
  wait(id: string, options: WaitForRun): Promise<Run>;
  /** @throws {ToolError} NEXUS_NOT_FOUND, for a run of another user too */
  get(id: string, options?: RunScope): Promise<RunDetail>;
  /** Those that no other waits for, newest first; `total` counts those beyond the limit too. */
  list(query: RunQuery): Promise<{ readonly runs: readonly Run[]; readonly total: number }>;
  /** Of the run alone, after the one with that `seq`. */
  events(id: string, options?: { readonly after?: number } & RunScope): Promise<readonly RunEvent[]>;
  /** Ends the run and its children, wherever they are; one that has ended stays as it is. */
  cancel(id: string, options?: RunScope): Promise<Run>;
  /**
   * Answers a question, once; one that is not asked yet finds its answer there.
   * @param options.digest what the answer is for: required to be the question's where it has one
   * @throws {ToolError} NEXUS_CONFLICT when it was answered, or is about something else
   */
  answer(
    id: string,
    answer: Answer,
    options?: { readonly question?: string; readonly digest?: string } & RunScope,
  ): Promise<AskedQuestion>;
  /** Lets a paused family go on, with another cap if one is given. */
  resume(id: string, options?: { readonly cap?: Partial<Spend> } & RunScope): Promise<Run>;
  /** What `rerun` would keep, repeat and cost. */
  planRerun(id: string, options?: Pick<RerunOptions, 'from' | 'goesOn' | 'user'>): Promise<RerunPlan>;
  /** A new run of the same kind and definition that keeps what came before `from`, or all that is done. */
  rerun(id: string, options?: RerunOptions): Promise<Run>;
}
