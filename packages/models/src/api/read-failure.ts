import { isRecord } from '@nexus/core';
import { cutEndCounted } from '@nexus/primitives';
import { ModelFailure } from '../failure.ts';

const OVERLOADED = new Set([408, 409, 425, 500, 502, 503, 504, 520, 522, 524, 529]);
/** Error types that come inside a stream that had begun with status 200. */
const STREAM_RATE_LIMITED = new Set(['rate_limit_error', 'rate_limit_exceeded']);
const STREAM_REJECTED = new Set([
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
]);
const MAX_MESSAGE_CHARS = 500;

/** What a client library threw, or a stream held, as a failure of one of our kinds. */
export function readFailure(error: unknown): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const status = property(error, 'statusCode');
  const message = describe(error);
  if (typeof status !== 'number') return streamFailure(error, message);
  const given = { cause: error, ...retryAfterOf(property(error, 'responseHeaders')) };
  if (status === 429 && !/insufficient_quota/.test(String(property(error, 'responseBody'))))
    return new ModelFailure('rate_limited', `it asks to be called more slowly: ${message}`, given);
  if (OVERLOADED.has(status))
    return new ModelFailure('unavailable', `it answered ${status}: ${message}`, given);
  if (status === 401 || status === 403)
    return new ModelFailure(
      'rejected',
      `the key is not accepted (${status}): ${message}. Check it in the environment or the config.`,
      given,
    );
  if (status >= 200 && status < 300)
    return new ModelFailure('unavailable', `its answer can't be read: ${message}`, given);
  return new ModelFailure('rejected', `it refused the request (${status}): ${message}`, given);
}

function streamFailure(error: unknown, message: string): ModelFailure {
  const type = String(property(error, 'type') ?? property(error, 'code') ?? '');
  if (STREAM_RATE_LIMITED.has(type)) return new ModelFailure('rate_limited', message, { cause: error });
  if (STREAM_REJECTED.has(type)) return new ModelFailure('rejected', message, { cause: error });
  return new ModelFailure('unavailable', message, { cause: error });
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date (RFC 9110, 10.2.3). */
function retryAfterOf(headers: unknown, now = Date.now()): { retryAfterMs?: number } {
  const exact = Number.parseFloat(String(property(headers, 'retry-after-ms')));
  if (Number.isFinite(exact)) return { retryAfterMs: Math.max(0, Math.ceil(exact)) };
  const value = property(headers, 'retry-after');
  if (typeof value !== 'string') return {};
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? { retryAfterMs: Math.max(0, Math.ceil(ms)) } : {};
}

function describe(error: unknown): string {
  const inner = property(error, 'error');
  const message = property(inner, 'message') ?? property(error, 'message') ?? String(error);
  const cause = property(property(error, 'cause'), 'code');
  const text = `${String(message)}${typeof cause === 'string' ? ` (${cause})` : ''}`;
  return cutEndCounted(text, MAX_MESSAGE_CHARS);
}

function property(value: unknown, key: string): unknown {
  return isRecord(value) || value instanceof Error ? Reflect.get(value, key) : undefined;
}
