import type { ToolCaller, Trace } from '@nexus/plugin-sdk';
import { KEY_META } from '../jobs/job-queue.ts';
import type { CallerContext } from '../registry/registered-tool.ts';
import type { Deadline } from '../timeouts/deadline.ts';
import type { Call } from './call.ts';
import type { Caller } from './call-request.ts';
import { askable, type ClientRequests } from './client-requests.ts';
import type { OuterCall } from './lifetime.ts';

interface Running {
  readonly deadline: Deadline;
  readonly report: OuterCall['progress'];
  toolsOf(context: OuterCall): ToolCaller;
}

/**
 * What a tool learns about its call. What most tools never ask for is made when asked for; a class for its
 * price, since accessors of an object literal are made anew for each call.
 */
export class CallContext implements CallerContext {
  readonly #deadline: Deadline;
  readonly #ask: ClientRequests | undefined;
  readonly #caller: Caller;
  readonly #toolsOf: Running['toolsOf'];
  readonly progress: CallerContext['progress'];
  readonly session: { readonly id: string };
  readonly trace: Trace;
  readonly meta: CallerContext['meta'];
  readonly run: CallerContext['run'];

  constructor({ caller, ask, trace, meta, run }: Call, { deadline, report, toolsOf }: Running) {
    this.#deadline = deadline;
    this.#ask = ask;
    this.#caller = caller;
    this.#toolsOf = toolsOf;
    this.progress = report;
    this.session = { id: caller.sessionId };
    this.trace = trace;
    this.meta = meta;
    this.run = run;
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
  get sampling(): CallerContext['sampling'] {
    return this.#ask?.sampling ?? 'none';
  }
  get sample(): CallerContext['sample'] {
    return (request) => askable(this.#ask, 'sampling').sample(request, this.signal);
  }
  get elicit(): CallerContext['elicit'] {
    return (request) => askable(this.#ask, 'elicitation').elicit(request, this.signal);
  }
  get ask(): CallerContext['ask'] {
    return (method, params) => askable(this.#ask, method).pass(method, params, this.signal);
  }
}
