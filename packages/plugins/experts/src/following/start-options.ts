import type { CallContext, Spend, StartRun } from '@nexus/plugin-sdk';
import type { ExpertsOptions } from '../options.ts';
import type { ExpertsState } from '../state.ts';

const MAX_TITLE_CHARS = 100;

/** What every run that a call of this plugin starts has in common: who it is for, and what it may spend. */
export function startOptions(
  call: CallContext<ExpertsState>,
  { title, timeoutMs }: { readonly title: string; readonly timeoutMs: number | undefined },
): StartRun {
  const cap = capOf(call.state.options);
  const line = title.replace(/\s+/g, ' ').trim();
  return {
    title: line.length <= MAX_TITLE_CHARS ? line : `${line.slice(0, MAX_TITLE_CHARS - 1)}…`,
    live: call,
    caller: { session: call.session, user: call.user },
    ...(call.idempotencyKey === undefined ? {} : { key: keyOf(call.idempotencyKey, call.user) }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(cap === undefined ? {} : { cap }),
  };
}

/** What the config lets one run spend. */
export function capOf({ maxCostUsd, maxTokens }: ExpertsOptions): Partial<Spend> | undefined {
  if (maxCostUsd === undefined && maxTokens === undefined) return undefined;
  return {
    ...(maxCostUsd === undefined ? {} : { costUsd: maxCostUsd }),
    ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
  };
}

/** A call that is made again after its server died finds its run; another user's under the same key does not. */
function keyOf(idempotencyKey: string, user: string | undefined): string {
  return user === undefined ? idempotencyKey : `${idempotencyKey}\n${user}`;
}
