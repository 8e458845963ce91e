import type { CallContext, Log, Resumption, Root, RunOfCall, SessionScope, Trace } from '@nexus/plugin-sdk';
import type { AskYes, KnownOnRecord } from '../labels/known.ts';
import type { EndSignal } from '../timeouts/end-signal.ts';
import type { ProgressReport } from '../timeouts/progress.ts';
import type { ClientRequests } from './client-requests.ts';
import type { BroughtInputs } from './inputs.ts';

/** Who calls: what a tool may learn of its session. */
export interface Caller {
  readonly session: SessionScope;
  /** Where an issuer said who it is; absent for the server's own user. */
  readonly user?: string | undefined;
  readonly client: { readonly name: string; readonly version: string };
  readonly log: Log;
  /** The project, as far as its way in is trusted with more or less. */
  roots(): Promise<readonly Root[]>;
  /**
   * The folders of the project, relative to it, where the roots are less than all of it and nothing else: what is
   * done for it later is held to them too. Absent for who may read all of it.
   */
  narrowed?(): Promise<readonly string[] | undefined>;
}

/** How a request came in. */
export interface Wire {
  readonly requestId: string | number;
  /** A revision of MCP; undefined before the handshake. */
  readonly protocolVersion: string | undefined;
  /** Of its channel: `stdio`, `ipc`, `http`, `memory`. */
  readonly channel: string;
  /** Of what carried it; the one in its `_meta` is its own. */
  readonly traceparent?: string | undefined;
}

/** What comes in from a client, or from a run that calls on: a call is made of it once its tool is known. */
export interface CallRequest {
  /** The raw `params` of `tools/call`. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The client's cancel, or its going; the end of the step or the job that makes it. */
  readonly signal: EndSignal;
  /** The step of a run that it comes from: said by who runs it, and read from nothing that a client sends. */
  readonly run?: RunOfCall | undefined;
  /** Of that step; a client's stands in the `_meta` of its params. */
  readonly trace?: Trace | undefined;
  /** Of a client's request. */
  readonly wire?: Wire | undefined;
  /** What that run was asked for by whoever began it, as JSON: it came from no tool. */
  readonly asked?: string | undefined;
  /** What that run's family has come to know, on record with it. */
  readonly known?: KnownOnRecord | undefined;
  /** Who says yes for that run. */
  readonly sayYes?: AskYes | undefined;
  /** Of a call that is made again with what it was suspended on. */
  readonly inputs?: BroughtInputs | undefined;
  /** The run of the tool that it goes on with, in the place of arguments; read from nothing that a client sends. */
  readonly resumes?: Resumption | undefined;
  /** Once `signal` fired: whether the client has gone, which ends no call that has an idempotency key. */
  hasGone?(): boolean;
  /** Where progress goes, and does not throw; absent when the client sent no `progressToken`. */
  readonly progress?: ((report: ProgressReport) => void) | undefined;
  /** How its tools ask the client back; absent for a client that can't be asked. */
  readonly ask?: ClientRequests | undefined;
  /**
   * Of a call that only passes others on: told before each of those is made whether that may be made again, should the
   * server die by it. Absent where nobody would make it again.
   */
  readonly tellRepeat?: ((mayRepeat: boolean) => void) | undefined;
  /** Told of the run that it is answered by; absent where nobody would ask the next server for that. */
  readonly tellRun?: ((runId: string) => void) | undefined;
  /** Has work done once its answer has left for its client; absent where none waits. */
  readonly afterAnswer?: CallContext['afterAnswer'];
}
