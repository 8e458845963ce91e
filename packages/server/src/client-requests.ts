import { pathToFileURL } from 'node:url';
import { type ClientRequests, type EndSignal, isRecord, type Trust } from '@nexus/core';
import type { Members, Peer, RequestId } from '@nexus/core/json-rpc';
import {
  type ElicitationAnswer,
  type ElicitationRequest,
  isToolError,
  type Root,
  type SamplingAnswer,
  ToolError,
} from '@nexus/plugin-sdk';
import { formFault } from './form-validator.ts';
import { assertOffered } from './offered.ts';

/** The client of a session, as far as it takes to ask it something. */
export interface AskedClient {
  readonly peer: Pick<Peer, 'request'>;
  readonly trust: Trust;
  capabilities(): Members;
}

/** Of an answer as JSON: pictures and sounds of a model, or what a person fills in. */
const MAX_ANSWER_CHARS = { sampling: 4_000_000, elicitation: 256_000 } as const;
/** Of what a client says when it refuses. */
const MAX_REFUSAL_CHARS = 2_000;

const ACTIONS = ['accept', 'decline', 'cancel'] as const;

/**
 * What tools of one call may ask the client, tied to the call so that the transport sends it the call's
 * way. The call's deadline ends the request, whose signal it is.
 * @param requestId undefined where no call asks, but the server itself
 */
export function clientRequests(
  client: AskedClient,
  requestId: RequestId | undefined,
  roots: () => Promise<readonly Root[]>,
): ClientRequests {
  const ask = async (method: string, params: Members, signal: EndSignal) => {
    assertOffered(client.capabilities(), method, params);
    return client.peer.request(method, params, { signal, relatedRequestId: requestId });
  };
  const asked = async (method: string, params: Members, signal: EndSignal) => {
    try {
      return await ask(method, params, signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (isToolError(error)) throw error;
      throw refused((error as Error).message.slice(0, MAX_REFUSAL_CHARS), error);
    }
  };
  return {
    get sampling() {
      const { sampling } = client.capabilities();
      if (!isRecord(sampling)) return 'none';
      return sampling.tools ? 'tools' : 'text';
    },
    async sample(request, signal) {
      return toSamplingAnswer(
        bounded('sampling', await asked('sampling/createMessage', { ...request }, signal)),
      );
    },
    async elicit(request, signal) {
      const answer = toElicitationAnswer(
        bounded('elicitation', await asked('elicitation/create', elicitParams(request), signal)),
      );
      if (answer.action !== 'accept' || !('requestedSchema' in request)) return answer;
      const content = answer.content ?? {};
      const fault = await formFault(request.requestedSchema, content);
      if (fault !== undefined) throw refused(`what was filled in does not fit the form: ${fault}`);
      return { ...answer, content };
    },
    async pass(method, params, signal) {
      const answer = await ask(method, params, signal);
      // What a client may not widen for our own tools, it may not for those of servers behind us.
      return method === 'roots/list' && client.trust === 'network' ? rootsAnswer(await roots()) : answer;
    },
  };
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
