import { pathToFileURL } from 'node:url';
import { type ClientRequests, type EndSignal, isRecord, type Trust, timed } from '@nexus/core';
import type { Members, Peer, RequestId } from '@nexus/core/json-rpc';
import {
  type Answer,
  type AskedQuestion,
  type ElicitationAnswer,
  type ElicitationRequest,
  isToolError,
  type Root,
  type SamplingAnswer,
  type SamplingRequest,
  ToolError,
} from '@nexus/plugin-sdk';
import { cutEndCounted } from '@nexus/primitives';
import { formFault } from './form-validator.ts';
import { assertOffered } from './offered.ts';
import { forRevision } from './revisions.ts';

/** The client of a session, as far as it takes to ask it something. */
export interface AskedClient {
  readonly peer: Pick<Peer, 'request'>;
  readonly trust: Trust;
  capabilities(): Members;
  /** Undefined before initialize. */
  protocolVersion(): string | undefined;
}

/** Of an answer as JSON: pictures and sounds of a model, or what a person fills in. */
const MAX_ANSWER_CHARS = { sampling: 4_000_000, elicitation: 256_000 } as const;
/** Of what a client says when it refuses. */
const MAX_REFUSAL_CHARS = 2_000;

const ACTIONS = ['accept', 'decline', 'cancel'] as const;

/**
 * What tools of one call may ask the client, tied to the call so that the transport sends it the call's
 * way. The call's deadline ends the request, whose signal it is. A class for its price: every call has one.
 */
export class RequestsOfCall implements ClientRequests {
  readonly #client: AskedClient;
  readonly #roots: () => Promise<readonly Root[]>;
  readonly #requestId: RequestId | undefined;

  /** @param requestId undefined where no call asks, but the server itself */
  constructor(client: AskedClient, roots: () => Promise<readonly Root[]>, requestId?: RequestId) {
    this.#client = client;
    this.#roots = roots;
    this.#requestId = requestId;
  }

  /** Whether the client shows forms to a person. */
  get hasForms(): boolean {
    const { elicitation } = this.#client.capabilities();
    // One that names no mode has forms alone (MCP 2025-11-25, Elicitation).
    return isRecord(elicitation) && (isRecord(elicitation.form) || !isRecord(elicitation.url));
  }

  get sampling() {
    const { sampling } = this.#client.capabilities();
    if (!isRecord(sampling)) return 'none';
    return sampling.tools ? 'tools' : 'text';
  }

  async sample(request: SamplingRequest, signal: EndSignal): Promise<SamplingAnswer> {
    return toSamplingAnswer(
      bounded('sampling', await this.#asked('sampling/createMessage', { ...request }, signal)),
    );
  }

  async elicit(request: ElicitationRequest, signal: EndSignal): Promise<ElicitationAnswer> {
    const answer = await this.#elicited(request, signal);
    if (answer.action !== 'accept' || !('requestedSchema' in request)) return answer;
    const content = answer.content ?? {};
    const fault = await formFault(request.requestedSchema, content);
    if (fault !== undefined) throw refused(`what was filled in does not fit the form: ${fault}`);
    return { ...answer, content };
  }

  /** @param meta of each form, beside what says which question it is */
  async answer(question: AskedQuestion, signal: EndSignal, meta: Members = {}): Promise<Answer | undefined> {
    // Most calls ask nothing, and no start does.
    const { answerByForm } = await import('./answer-by-form.ts');
    return answerByForm(
      (form) => this.#elicited({ ...form, _meta: { ...meta, ...form._meta } } as typeof form, signal),
      question,
    );
  }

  async pass(method: string, params: Members, signal: EndSignal): Promise<Members> {
    const answer = await this.#ask(method, params, signal);
    // What a client may not widen for our own tools, it may not for those of servers behind us.
    const isNarrowed = method === 'roots/list' && this.#client.trust === 'network';
    return isNarrowed ? rootsAnswer(await this.#roots()) : answer;
  }

  /** What came back, before it is held to the form. */
  async #elicited(request: ElicitationRequest, signal: EndSignal): Promise<ElicitationAnswer> {
    const answer = await this.#asked('elicitation/create', elicitParams(request), signal);
    return toElicitationAnswer(bounded('elicitation', answer));
  }

  async #ask(method: string, params: Members, signal: EndSignal): Promise<Members> {
    assertOffered(this.#client.capabilities(), method, params);
    return this.#client.peer.request(method, forRevision(method, params, this.#client.protocolVersion()), {
      // Whoever asks has a clock: a call its deadline, what comes unasked its own.
      signal: timed(signal),
      relatedRequestId: this.#requestId,
    });
  }

  async #asked(method: string, params: Members, signal: EndSignal): Promise<Members> {
    try {
      return await this.#ask(method, params, signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (isToolError(error)) throw error;
      throw refused(cutEndCounted((error as Error).message, MAX_REFUSAL_CHARS), error);
    }
  }
}

function rootsAnswer(roots: readonly Root[]): Members {
  return { roots: roots.map(({ path, name }) => ({ uri: pathToFileURL(path).href, name })) };
}

function elicitParams(request: ElicitationRequest): Members {
  if ('requestedSchema' in request) return { mode: 'form', ...request };
  return { mode: 'url', elicitationId: crypto.randomUUID(), ...request };
}

/** What a client answers is held by the call, and may go to a model or a store. */
function bounded(kind: keyof typeof MAX_ANSWER_CHARS, answer: Members): Members {
  const most = MAX_ANSWER_CHARS[kind];
  const { length } = JSON.stringify(answer);
  if (length > most) throw refused(`its answer has ${length} characters as JSON; at most ${most} are taken`);
  return answer;
}

function toElicitationAnswer({ action, content }: Members): ElicitationAnswer {
  const known = ACTIONS.find((each) => each === action);
  if (!known) throw refused(`its action is ${shown(action)}, none of ${ACTIONS.join(', ')}`);
  return { action: known, ...(isRecord(content) ? { content } : {}) };
}

function toSamplingAnswer(answer: Members): SamplingAnswer {
  const { model, role, content } = answer;
  if (typeof model !== 'string') throw refused('its answer names no model');
  if (role !== 'assistant' && role !== 'user') throw refused(`its role is ${shown(role)}`);
  if (!isRecord(content) && !Array.isArray(content)) throw refused('its answer has no content');
  return answer as unknown as SamplingAnswer; // just checked
}

/** Whatever a client wrote there. */
function shown(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 100);
}

function refused(why: string, cause?: unknown): ToolError {
  return new ToolError('NEXUS_REFUSED', `The client did not answer as asked: ${why}`, { cause });
}
