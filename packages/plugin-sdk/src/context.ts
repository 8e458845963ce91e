import type { ElicitationAnswer, ElicitationRequest, SamplingAnswer, SamplingRequest } from './ask-client.ts';
import type { ContentBlock } from './content.ts';
import type { Host } from './host.ts';
import type { Label } from './label.ts';
import type { Log } from './log.ts';
import type { Answer, AskedQuestion } from './runs/question.ts';
import type { RunOfCall } from './runs/runs.ts';
import type { SessionScope } from './session-scope.ts';
import type { ToolCaller, ToolCallResult } from './tool-caller.ts';

/** A directory the caller lets its tools read: the project root and the client's MCP roots. */
export interface Root {
  /** Absolute path, symlinks resolved. */
  readonly path: string;
  /** As the client shows it to its user. */
  readonly name: string;
}

/** W3C Trace Context: where what is done now belongs. */
export interface Trace {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits: the span that what is called from here is part of. */
  readonly parentId: string;
  /** Of the vendors on the way; as sent (W3C Trace Context, section 3.3). */
  readonly tracestate?: string;
  /** W3C Baggage, as sent. */
  readonly baggage?: string;
  /** The first run of the family that it is for. */
  readonly family?: string | undefined;
}

/** What a call brings that was suspended on questions before, and is made again with answers to them. */
export interface CallInputs {
  /** As `inputRequired` said it. */
  readonly state: string;
  readonly answers: readonly {
    /** Of a request. */
    readonly key: string;
    readonly answer: Answer;
    /** What exactly a yes is for. */
    readonly digest?: string;
  }[];
}

/** An earlier run that a call goes on with, in the place of arguments. */
export interface Resumption {
  readonly runId: string;
  /** The step from which it is done again, as a new run; a tool may name its places otherwise (`from`). */
  readonly from?: string | undefined;
  /** What it may spend from now on, all that it has spent counted; never more than its tool lets it. */
  readonly maxTokens?: number | undefined;
}

/** Everything a tool learns about one call. Nothing here outlives the call. */
export interface CallContext<State = unknown> {
  /** What the plugin's `start` returned. */
  readonly state: State;
  /** The services that `start` was given too. */
  readonly host: Host;
  /** Fires at the deadline, when the client cancels, and at shutdown; `reason` says which. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds at which `signal` fires by itself. */
  readonly deadline: number;
  /** The session the call came in by, or the run or job that makes it: what is kept for that ends with this. */
  readonly session: SessionScope;
  /** Who calls, where an issuer said so (HTTP with a JWT); absent for the server's own user, who sees all. */
  readonly user?: string | undefined;
  /** The client's name and version, as it gave them. */
  readonly client: { readonly name: string; readonly version: string };
  readonly trace: Trace;
  /**
   * The same when this very call is made again, after its server died: as a job's, or a run's step. What it
   * starts under this is found then, not started twice. Absent for a call that nobody would repeat.
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * The step of a run that the call comes from, as the server knows it; no client can say so. What is started
   * with this context as `caller` is that run's child. Absent for a call from outside.
   */
  readonly run?: RunOfCall | undefined;
  /** Goes to stderr, and to the client at the level it asked for. */
  readonly log: Log;
  /** Calls other tools on behalf of the same caller and under the same deadline. */
  readonly tools: ToolCaller;
  /** Reports progress; `done` and `total` in whatever unit fits the work. Never throws. */
  progress(message: string, done?: number, total?: number): void;
  /**
   * Project root first, then the client's roots, asked for once a session.
   * @throws {ToolError} NEXUS_OUTSIDE_ROOTS where a client by HTTP names others than the project's
   */
  roots(): Promise<readonly Root[]>;
  /** Adds blocks to the result's content: images, links, text for people. */
  attach(...blocks: readonly ContentBlock[]): void;
  /** Says more of this one answer than the tool’s own label: untrusted, or private. Never less. */
  label(label: Partial<Label>): void;
  /** Says which run answers this call: should its server die, the next one answers with what that comes to. */
  answeredBy(runId: string): void;
  /** What of its own model the client offers: nothing, answers, or answers that may use tools. */
  readonly sampling: 'none' | 'text' | 'tools';
  /**
   * Asks the host's model.
   * @param signal ends it before the call's own does
   * @throws {ToolError} NEXUS_UNAVAILABLE where the client offers no sampling; NEXUS_REFUSED where its user declines
   */
  sample(request: SamplingRequest, signal?: AbortSignal): Promise<SamplingAnswer>;
  /**
   * Asks the user.
   * @throws {ToolError} NEXUS_UNAVAILABLE where the client offers no such elicitation
   */
  elicit(request: ElicitationRequest): Promise<ElicitationAnswer>;
  /** Absent for a call that begins something; `defineRunTool` reads it. */
  readonly inputs?: CallInputs | undefined;
  /** Of a call that goes on with a run; `defineRunTool` reads it. */
  readonly resumes?: Resumption | undefined;
  /**
   * Calls the tool that a run of such a kind is of, to go on with that run, on behalf of the same caller and under the
   * same deadline.
   * @returns what the tool answers
   * @throws {ToolError} NEXUS_CONFLICT where no tool in sight of the caller is such a run
   */
  resumeRun(kind: string, resumption: Resumption): Promise<ToolCallResult>;
  /**
   * Puts a run's question to whoever waits for this call; what `host.runs.wait` takes as `ask`.
   * @returns undefined where it stays open
   */
  putQuestion(question: AskedQuestion, signal: AbortSignal): Promise<Answer | undefined>;
  /**
   * Whether a client is there to be given its answer, such as none is for the call of a job or a run's step: that one's
   * end is what is told.
   */
  readonly isForClient: boolean;
  /**
   * Has work done once the client has been handed this call's answer: a server that dies before has told nobody. Absent
   * where no client is yet to be given one. `host.runs` and `host.jobs` keep by it who was told (`toldTo`).
   */
  readonly afterAnswer?: ((work: () => Promise<void>) => void) | undefined;
  /**
   * Takes note of a run that nobody knows the outcome of, which `host.runs` does as it hands this call the run's end
   * (`toldTo`): a call that fails after that is of unknown outcome too, whatever its tool makes of it.
   */
  noteUnknown(run: { readonly id: string; readonly title: string; readonly message: string }): void;
  /**
   * Passes on a request that another server has for its client (`sampling/createMessage`,
   * `elicitation/create`, `roots/list`), params and result as they are.
   * @throws {ToolError} NEXUS_UNAVAILABLE where the client does not offer it
   */
  ask(method: string, params: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
}
