import { type Channel, isRecord, type JsonRpcMessage } from '@nexus/core';
import { roundedOf, withRoundedMeta } from '@nexus/core/rounded';
import { namedAsTheirs } from './named-as-theirs.ts';

/** Members of `_meta` by which Nexus says something itself, and believes what is said. */
const OWN_WORD = /^nexus\//i;
/** Data of a tool's, or a schema: passed on as it is, since nobody reads a `_meta` in it. */
const AS_IT_IS: ReadonlySet<string> = new Set([
  'structuredContent',
  'inputSchema',
  'outputSchema',
  'requestedSchema',
  'arguments',
]);
/** `params.messages[].content[].content[].resource._meta` is the deepest that the protocol has. */
const DEEPEST = 10;

/**
 * The channel of a server that is another's: what stands under `nexus/` in a `_meta` of its messages is no word of ours,
 * and is left out; what else sounds like Nexus is named as the server's. A Nexus behind this one is a stranger too. What
 * was read of the message here itself stays.
 */
export function asStrangers(channel: Channel, who: string): Channel {
  return {
    kind: channel.kind,
    trust: channel.trust,
    send: channel.send,
    close: channel.close,
    start: ({ message, closed }) =>
      channel.start({ message: (each) => message(namedAsTheirs(withoutForged(each), who)), closed }),
  };
}

function withoutForged(message: JsonRpcMessage): JsonRpcMessage {
  const rounded = roundedOf(message.result);
  if (!hasForged(message, 0)) return message;
  const left = walk(message, 0) as JsonRpcMessage;
  return rounded === undefined || left.result === undefined
    ? left
    : { ...left, result: withRoundedMeta(left.result, rounded) };
}

/** Whether there is anything to be left out: of nearly all messages nothing is, and each is asked. */
function hasForged(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false;
  if (Array.isArray(value)) return value.some((item) => hasForged(item, depth + 1));
  for (const key in value) {
    if (AS_IT_IS.has(key)) continue;
    const item = (value as Record<string, unknown>)[key];
    const isForged =
      key === '_meta' && isRecord(item)
        ? Object.keys(item).some((name) => OWN_WORD.test(name))
        : hasForged(item, depth + 1);
    if (isForged) return true;
  }
  return false;
}

function walk(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => walk(item, depth + 1));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  const entries = Object.entries(value);
  const left = entries.flatMap(([key, item]): [string, unknown][] => {
    if (AS_IT_IS.has(key)) return [[key, item]];
    if (key !== '_meta' || !isRecord(item)) return [[key, walk(item, depth + 1)]];
    const own = Object.entries(item).filter(([name]) => !OWN_WORD.test(name));
    if (own.length === Object.keys(item).length) return [[key, item]];
    return own.length === 0 ? [] : [[key, Object.fromEntries(own)]];
  });
  const isSame = left.length === entries.length && left.every(([, item], at) => item === entries[at]?.[1]);
  return isSame ? value : Object.fromEntries(left);
}
