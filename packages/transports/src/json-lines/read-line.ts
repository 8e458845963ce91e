import { type Buffer, isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { JSON_RPC } from '@nexus/core/errors';
import { type Parsed, parseBoundedInTurns, parseMessage, refuseUnbounded } from './parse-message.ts';

const NOT_UTF8: Parsed = {
  kind: 'refused',
  id: null,
  error: { code: JSON_RPC.parseError, message: 'Parse error: the line is not valid UTF-8' },
};

/** What the bytes of one line are; undefined for a line of white space, which means nothing. */
export function readLine(bytes: Buffer): Parsed | undefined {
  if (isBlank(bytes)) return undefined;
  return isUtf8(bytes) ? parseMessage(bytes.toString('utf8')) : NOT_UTF8;
}

/** The same of a long line: others have their turn after its bounds, between its values, and before it is told of. */
export async function readInTurns(bytes: Buffer): Promise<Parsed | undefined> {
  await nextTurn();
  if (isBlank(bytes)) return undefined;
  if (!isUtf8(bytes)) return NOT_UTF8;
  const text = bytes.toString('utf8');
  const refused = refuseUnbounded(text);
  if (refused) return refused;
  await nextTurn();
  const parsed = await parseBoundedInTurns(text);
  await nextTurn();
  return parsed;
}

/** White space means nothing. */
export function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
