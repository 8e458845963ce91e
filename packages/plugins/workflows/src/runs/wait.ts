import { type RunContext, ToolError } from '@nexus/plugin-sdk';
import { durationMs } from '../definition/durations.ts';
import { waitWith } from '../definition/uses.ts';
import { awaitMessage, awaitTask } from './await-bus.ts';
import type { WorkToDo } from './do-work.ts';
import { fitting } from './fitting.ts';

/** Waits for a time by the database's clock, or for what comes by the bus, through restarts. */
export async function wait(
  run: RunContext,
  { work, given }: Pick<WorkToDo, 'work' | 'given'>,
): Promise<unknown> {
  const { for: span, until, message, task, expireAfter } = fitting(waitWith, work, given);
  const limitMs = expireAfter === undefined ? undefined : durationMs(expireAfter);
  if (message) return awaitMessage(run, { message, limitMs });
  if (task !== undefined) return awaitTask(run, { task, limitMs });
  const from = await run.now('from');
  const at = until === undefined ? from + (durationMs(span ?? '') ?? 0) : Date.parse(until);
  if (at - from > MAX_WAIT_MS) {
    const text = `"${work.id}" can't wait until ${until}: that is more than a year away.`;
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', text, { detail: { step: work.id } });
  }
  if (at > from) await run.sleep('waits', at - from);
  return { waitedMs: Math.max(0, at - from), until: new Date(at).toISOString() };
}

const MAX_WAIT_MS = 366 * 86_400_000;
