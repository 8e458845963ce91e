import { type Channel, JSON_RPC, type JsonRpcMessage, ProtocolError } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import type { Log } from '@nexus/plugin-sdk';
import { createTokenBucket, cutEndCounted, cutMiddle, OWN_SENTENCES } from '@nexus/primitives';
import { redactJson } from '@nexus/untrusted/secrets';
import type { ConnectionListener, RequestOptions } from '../connection.ts';
import type { Mask } from '../mask-secrets.ts';
import { MAX_DEPTH, sizeOf } from '../size-of.ts';

type RpcError = NonNullable<JsonRpcMessage['error']>;

/** Who is told of these reads a list anew in a time of their own, however often it is said. */
const LIST_CHANGES: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
]);
/** Log messages, updates and whatever else a server says unasked. */
const NOTIFICATIONS = { burst: 1_000, perSecond: 200 };
const PROGRESS = { burst: 500, perSecond: 100 };
/** Questions to a person or a model. */
const QUESTIONS = { burst: 100, perSecond: 10 };
const MAX_QUESTIONS_AT_ONCE = 32;
/** Of an error, which models and people read. */
const MAX_ERROR_CHARS = 8_000;
const MAX_ERROR_DATA_CHARS = 64_000;
/** Of a result that says a call failed: all of it is searched for secrets, here and where it is passed on, in some 20 ms each. */
const MAX_FAILED_CHARS = 256 * 1024;

/** What one server may say unasked, and how often it may ask; the rest is dropped, or refused. */
export function boundListener(
  listener: ConnectionListener,
  { log, mask }: { readonly log: Log; readonly mask: Mask },
): ConnectionListener & { progress(options: RequestOptions): RequestOptions } {
  const notifications = createTokenBucket(NOTIFICATIONS);
  const progress = createTokenBucket(PROGRESS);
  const questions = createTokenBucket(QUESTIONS);
  let asking = 0;
  let isTold = false;

  function dropped(what: string): void {
    if (isTold) return;
    isTold = true;
    log.warn('a server says more than is passed on; the rest is dropped', { what });
  }

  return {
    notification(method, params) {
      if (!LIST_CHANGES.has(method) && notifications.take() > 0) return dropped(method);
      // Only what is passed on: to look for secrets costs more than all else about a message.
      listener.notification(method, method === 'notifications/message' ? redactJson(params, mask) : params);
    },
    async request(method, params, options) {
      if (asking >= MAX_QUESTIONS_AT_ONCE || questions.take() > 0) {
        throw new ProtocolError(JSON_RPC.invalidRequest, `${method} was refused: this server asks too often`);
      }
      asking += 1;
      try {
        return await listener.request(method, params, options);
      } finally {
        asking -= 1;
      }
    },
    progress(options) {
      const { onProgress } = options;
      if (!onProgress) return options;
      return {
        ...options,
        onProgress: (report) =>
          progress.take() === 0 ? onProgress(report) : dropped('notifications/progress'),
      };
    },
  };
}

/** The channel, its errors no longer than anybody reads and saying what that leaves out, and without what the server was given in confidence. */
export function boundErrors(channel: Channel, mask: Mask): Channel {
  const told = (message: JsonRpcMessage): JsonRpcMessage => {
    const { error, result } = message;
    if (error) return { ...message, error: boundedError(error, mask) };
    return result?.isError === true ? { ...message, result: boundedResult(result, mask) } : message;
  };
  return {
    kind: channel.kind,
    trust: channel.trust,
    send: channel.send,
    close: channel.close,
    start({ message, closed }) {
      channel.start({ message: (each) => message(told(each)), closed });
    },
  };
}

/** What is left out is counted in the message, the part of an error that everybody is shown. */
function boundedError({ code, message, data }: RpcError, mask: Mask): RpcError {
  const text = mask(cutEndCounted(message, MAX_ERROR_CHARS));
  if (data === undefined) return { code, message: text };
  if (sizeOf(data, MAX_ERROR_DATA_CHARS) > MAX_ERROR_DATA_CHARS)
    return { code, message: `${text} (${leftOut(data)})` };
  return { code, message: text, data: redactJson(data, mask) };
}

/** Of a longer one its texts stay, of which people read how they begin and end. */
function boundedResult(result: Members, mask: Mask): Members {
  if (sizeOf(result, MAX_FAILED_CHARS) <= MAX_FAILED_CHARS) return redactJson(result, mask);
  const { content, isError } = result;
  const texts = (Array.isArray(content) ? content : [])
    .map((block) => Object(block).text)
    .filter((text) => typeof text === 'string');
  const text = mask(cutMiddle(texts.join('\n'), MAX_FAILED_CHARS));
  const note = OWN_SENTENCES.failureCut(sizeText(result, `more than ${MAX_FAILED_CHARS}`));
  return { content: [text, note].map((each) => ({ type: 'text', text: each })), isError };
}

function leftOut(data: unknown): string {
  return OWN_SENTENCES.dataLeftOut(sizeText(data, `more than ${MAX_ERROR_DATA_CHARS}`));
}

function sizeText(value: unknown, than: string): string {
  const size = sizeOf(value, Number.POSITIVE_INFINITY);
  return Number.isFinite(size) ? `about ${size} characters, ${than}` : `nested more than ${MAX_DEPTH} deep`;
}
