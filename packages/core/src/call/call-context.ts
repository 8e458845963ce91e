import type { Label, ToolCaller, ToolCallResult, Trace } from '@nexus/plugin-sdk';
import { joinSignals } from '@nexus/primitives';
import { KEY_META } from '../jobs/job-queue.ts';
import type { CallerContext } from '../registry/registered-tool.ts';
import type { Deadline } from '../timeouts/deadline.ts';
import type { Call } from './call.ts';
import type { Caller } from './call-request.ts';
import { askable, type ClientRequests } from './client-requests.ts';
import { afterAnswerOf, isForClient, isWaitedFor, type Lifetime, type OuterCall } from './lifetime.ts';
import { noteLostRun } from './lost-within.ts';
import { putQuestion, waitOutside } from './put-question.ts';

interface Running {
  readonly deadline: Deadline;
  readonly report: OuterCall['progress'];
  toolsOf(context: OuterCall): ToolCaller;
  resume(context: OuterCall, ...resumed: Parameters<CallerContext['resumeRun']>): Promise<ToolCallResult>;
}

/**
 * What a tool learns about its call. What most tools never ask for is made when asked for; a class for its
 * price, since accessors of an object literal are made anew for each call.
 */
export class CallContext implements CallerContext {
  readonly #deadline: Deadline;
  readonly #ask: ClientRequests | undefined;
  readonly #lifetime: Lifetime;
  readonly #caller: Caller;
  readonly #toolsOf: Running['toolsOf'];
  readonly #resume: Running['resume'];
  readonly #call: Pick<Call, 'taint' | 'tool' | 'lost' | 'tellRun' | 'afterAnswer'>;
  readonly progress: CallerContext['progress'];
  readonly session: CallerContext['session'];
  readonly trace: Trace;
  readonly meta: CallerContext['meta'];
  readonly run: CallerContext['run'];
  readonly inputs: CallerContext['inputs'];
  readonly resumes: CallerContext['resumes'];

  constructor(call: Call, { deadline, report, toolsOf, resume }: Running) {
    const { caller, ask, trace, meta, run, lifetime, inputs, resumes } = call;
    this.#call = call;
    this.#deadline = deadline;
    this.#ask = ask;
    this.#lifetime = lifetime;
    this.#caller = caller;
    this.#toolsOf = toolsOf;
    this.#resume = resume;
    this.progress = report;
    this.session = caller.session;
    this.trace = trace;
    this.meta = meta;
    this.run = run;
    this.inputs = inputs;
    this.resumes = resumes;
  }

  get end() {
    return this.#deadline.end;
  }
  get signal() {
    return this.#deadline.end.signal;
  }
  get deadline() {
    return this.#deadline.at;
  }
  get user() {
    return this.#caller.user;
  }
  get idempotencyKey() {
    const key = this.meta[KEY_META];
    return typeof key === 'string' && key !== '' ? key : undefined;
  }
  get client() {
    return this.#caller.client;
  }
  get log() {
    return this.#caller.log;
  }
  get roots() {
    return this.#caller.roots;
  }
  get tools() {
    return this.#toolsOf(this);
  }
  get resumeRun(): CallerContext['resumeRun'] {
    return (...resumed) => this.#resume(this, ...resumed);
  }
  label(label: Partial<Label>) {
    this.#call.taint.add(label, this.#call.tool.name);
  }
  get isForClient() {
    return isForClient(this.#lifetime);
  }
  get afterAnswer(): CallerContext['afterAnswer'] {
    return afterAnswerOf(this.#call, this.#lifetime);
  }
  get noteUnknown(): CallerContext['noteUnknown'] {
    return (run) => noteLostRun(this.#call, run);
  }
  answeredBy(runId: string) {
    this.#call.tellRun?.(runId);
  }
  get sampling(): CallerContext['sampling'] {
    return this.#ask?.sampling ?? 'none';
  }
  get sample(): CallerContext['sample'] {
    return (request, signal) =>
      askable(this.#ask, 'sampling').sample(request, signal ? joinSignals(this.signal, signal) : this.signal);
  }
  get elicit(): CallerContext['elicit'] {
    return (request) => askable(this.#ask, 'elicitation').elicit(request, this.signal);
  }
  get putQuestion(): CallerContext['putQuestion'] {
    const putting = { ask: this.#ask, deadline: this.#deadline };
    return isWaitedFor(this.#lifetime)
      ? (question, signal) => putQuestion(putting, question, signal)
      : (_question, signal) => waitOutside(this.#deadline, signal);
  }
  get ask(): CallerContext['ask'] {
    return (method, params) => askable(this.#ask, method).pass(method, params, this.signal);
  }
}
