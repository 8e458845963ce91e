import { type CallContext, type ContentBlock, type Host, refuseSpread } from '@nexus/plugin-sdk';
import type { CallerContext } from './registered-tool.ts';

/** What a plugin's tool has beside what its caller brings. */
interface OwnParts {
  readonly state: unknown;
  readonly host: Host;
  /** Filled by `attach`. */
  readonly attached: ContentBlock[];
}

/**
 * What a plugin's tool learns about its call: each member is made when it is asked for. A class for its price, since
 * V8 gives each object literal with accessors a shape of its own, by which the call stays in memory after its end.
 */
export class ToolContext implements CallContext {
  readonly #context: CallerContext;
  readonly #attached: ContentBlock[];
  readonly state: unknown;
  readonly host: Host;

  constructor(context: CallerContext, { state, host, attached }: OwnParts) {
    this.#context = context;
    this.#attached = attached;
    this.state = state;
    this.host = host;
    refuseSpread(this);
  }

  get signal() {
    return this.#context.signal;
  }
  get deadline() {
    return this.#context.deadline;
  }
  get session() {
    return this.#context.session;
  }
  get user() {
    return this.#context.user;
  }
  get client() {
    return this.#context.client;
  }
  get trace() {
    return this.#context.trace;
  }
  get idempotencyKey() {
    return this.#context.idempotencyKey;
  }
  get run() {
    return this.#context.run;
  }
  get log() {
    return this.#context.log;
  }
  get tools() {
    return this.#context.tools;
  }
  get progress() {
    return this.#context.progress;
  }
  get roots() {
    return this.#context.roots;
  }
  get attach(): CallContext['attach'] {
    return (...blocks) => void this.#attached.push(...blocks);
  }
  get label(): CallContext['label'] {
    return (label) => this.#context.label(label);
  }
  get answeredBy(): CallContext['answeredBy'] {
    return (runId) => this.#context.answeredBy(runId);
  }
  get sampling() {
    return this.#context.sampling;
  }
  get sample() {
    return this.#context.sample;
  }
  get elicit() {
    return this.#context.elicit;
  }
  get inputs() {
    return this.#context.inputs;
  }
  get resumes() {
    return this.#context.resumes;
  }
  get resumeRun() {
    return this.#context.resumeRun;
  }
  get isForClient() {
    return this.#context.isForClient;
  }
  get afterAnswer() {
    return this.#context.afterAnswer;
  }
  get noteUnknown() {
    return this.#context.noteUnknown;
  }
  get putQuestion() {
    return this.#context.putQuestion;
  }
  get ask() {
    return this.#context.ask;
  }
}
