import { isRecord } from '../json-type.ts';
import type { Members } from './members.ts';

/** Under this key of `_meta` a result says where it has numbers that are not as they were sent. */
const ROUNDED_META_KEY = 'nexus/rounded';

/** What was written here, and not by whoever sent the result. */
const written = new WeakMap<object, readonly string[]>();

/**
 * Says of a response where its numbers are not as its sender wrote them, which can be seen only in its text: of a result
 * in its `_meta`, of an error in its words, since its data may be of any form.
 * @param paths dotted, of the whole message
 */
export function withRounded<Message extends Members>(message: Message, paths: readonly string[]): Message {
  const { result, error } = message;
  const ofError = below(paths, 'error.');
  if (ofError.length > 0 && isRecord(error) && typeof error.message === 'string') {
    const words = `${error.message} (not as it was sent, but rounded: ${ofError.join(', ')})`;
    return { ...message, error: { ...error, message: words } };
  }
  const ofResult = below(paths, 'result.');
  if (ofResult.length === 0 || !isRecord(result)) return message;
  return { ...message, result: withRoundedMeta(result, ofResult) };
}

/** @param paths dotted, of the result */
export function withRoundedMeta(result: Members, paths: readonly string[]): Members {
  const meta = isRecord(result._meta) ? result._meta : {};
  const told = { ...result, _meta: { ...meta, [ROUNDED_META_KEY]: paths } };
  written.set(told, paths);
  return told;
}

/** What `withRounded` said of this very result, whatever its sender says there. */
export function roundedOf(result: Members | undefined): readonly string[] | undefined {
  return result && written.get(result);
}

function below(paths: readonly string[], start: string): string[] {
  return paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
}
