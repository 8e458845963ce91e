import { isToolError, ToolError } from '@nexus/plugin-sdk';
import { fetch, type Response } from 'undici';
import { destinationOf, type IsAllowed, parseUrl } from '../destinations/destination.ts';
import { adviceOn } from './advice-on.ts';
import type { GuardedAgents } from './guarded-agents.ts';
import { readBody } from './read-body.ts';
import { Retryable } from './retryable.ts';

const MAX_REDIRECTS = 5;
/** Sent to the host that they were meant for and to no other. */
const FOR_ONE_HOST = ['authorization', 'cookie', 'x-api-key', 'proxy-authorization'];

export interface Sending {
  readonly agents: GuardedAgents;
  readonly isAllowed: IsAllowed;
}

export interface Sent {
  /** Where the answer came from, after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  /** Unpacked. */
  readonly body: Buffer;
}

export interface SendRequest {
  readonly url: URL;
  /** Default GET, which alone follows redirects: what else is asked was meant for where it was sent. */
  readonly method?: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** Fires at the deadline, too. */
  readonly signal: AbortSignal;
}

/**
 * One request; a GET with its redirects: each hop is checked as the first was, and gets no secret that was meant for another.
 * @throws {Retryable} where it could not be reached
 * @throws {ToolError} NEXUS_DENIED, NEXUS_INVALID_ARGUMENTS, NEXUS_UNAVAILABLE; the signal's reason
 */
export async function send({ agents, isAllowed }: Sending, request: SendRequest): Promise<Sent> {
  const { method = 'GET', body: sentBody, maxBytes, signal } = request;
  let { url, headers } = request;
  for (let hops = 0; ; hops += 1) {
    const destination = destinationOf(url, isAllowed);
    try {
      const response = await fetch(url, {
        method,
        ...(sentBody === undefined ? {} : { body: sentBody }),
        headers,
        redirect: 'manual',
        signal,
        dispatcher: agents.for(destination),
      });
      const next = method === 'GET' ? redirectOf(response, url) : undefined;
      if (next === undefined) {
        const body = await readBody(response, maxBytes, url.origin);
        return { url, status: response.status, headers: response.headers as Headers, body };
      }
      await response.body?.cancel();
      if (hops === MAX_REDIRECTS) {
        throw new ToolError('NEXUS_UNAVAILABLE', `${url.origin} redirects more than ${MAX_REDIRECTS} times.`);
      }
      if (next.origin !== url.origin) headers = withoutSecrets(headers);
      url = next;
    } catch (error) {
      throw asToolError(error, { signal, shown: url.origin });
    }
  }
}

function redirectOf({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get('location');
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return undefined;
  return parseUrl(location, from);
}

function withoutSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !FOR_ONE_HOST.includes(name.toLowerCase())),
  );
}

function asToolError(error: unknown, { signal, shown }: { signal: AbortSignal; shown: string }): unknown {
  if (signal.aborted) return signal.reason;
  // What a lookup refused comes inside of what the connection says.
  for (let at = error; at instanceof Error; at = at.cause) if (isToolError(at)) return at;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = cause instanceof Error ? cause.message : String(cause);
  const text = `${shown} could not be reached: ${why}. ${adviceOn(cause)}`;
  return new Retryable(new ToolError('NEXUS_UNAVAILABLE', text, { cause: error }));
}
