import type { CallContext } from '../../context.ts';
import type { StartRun } from '../runs.ts';
import type { BeginRun } from './begin-run.ts';

const MAX_TITLE_CHARS = 100;

/** What every run that a call starts has in common: who it is for, and what the call lends it. */
export function startOptions(
  call: CallContext,
  { title, definition, timeoutMs, cap }: Omit<BeginRun<unknown>, 'input'>,
): StartRun {
  const line = title.replace(/\s+/g, ' ').trim();
  return {
    title: line.length <= MAX_TITLE_CHARS ? line : `${line.slice(0, MAX_TITLE_CHARS - 1)}…`,
    live: call,
    caller: call,
    ...(call.idempotencyKey === undefined ? {} : { key: keyOf(call.idempotencyKey, call.user) }),
    ...(definition === undefined ? {} : { definition }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(cap === undefined ? {} : { cap }),
  };
}

/** A call that is made again after its server died finds its run; another user's under the same key does not. */
function keyOf(idempotencyKey: string, user: string | undefined): string {
  return user === undefined ? idempotencyKey : `${idempotencyKey}\n${user}`;
}
