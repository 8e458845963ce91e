import { isRecord } from '../json-type.ts';
import type { Members } from './members.ts';

/** Under this key of `_meta` a result says where it has numbers that are not as they were sent. */
const ROUNDED_META_KEY = 'nexus/rounded';

/** Whether all numbers of a message are as its sender wrote them can be seen only in its text. */
export function withRounded<Message extends Members>(message: Message, paths: readonly string[]): Message {
  const { result } = message;
  const ofResult = paths.flatMap((path) =>
    path.startsWith('result.') ? [path.slice('result.'.length)] : [],
  );
  if (ofResult.length === 0 || !isRecord(result)) return message;
  const meta = isRecord(result._meta) ? result._meta : {};
  return { ...message, result: { ...result, _meta: { ...meta, [ROUNDED_META_KEY]: ofResult } } };
}
