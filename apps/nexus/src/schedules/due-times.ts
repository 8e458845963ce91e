import { Cron } from 'croner';

/** As a workflow file has it, and `list_workflows` shows it. */
export interface Schedule {
  readonly cron: string;
  readonly timezone: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly catchUp: boolean;
}

/** What of a schedule is due: all in epoch milliseconds. */
export interface DueTimes {
  /** The newest time that has come and was not dealt with. */
  readonly slot: number | undefined;
  /** Whether it is to be run for that time. */
  readonly isToRun: boolean;
  /** Times that came while no server was there, and are not made up for. */
  readonly missed: number;
  /** The next time; undefined where none comes any more. */
  readonly next: number | undefined;
}

/** Later than this, nobody was there at the time: a server that was looks several times a minute. */
const ON_TIME_MS = 5 * 60_000;
/** Counting them takes time: of a schedule of each minute, more than half a day. */
const MAX_COUNTED = 1_000;

/** What has come of a schedule since a time that was dealt with. */
export function dueTimes({ cron, timezone, catchUp }: Schedule, lastMs: number, nowMs: number): DueTimes {
  const times = new Cron(cron, { timezone, paused: true, mode: '5-part' });
  let slot: number | undefined;
  let count = 0;
  let next = times.nextRun(new Date(lastMs))?.getTime();
  while (next !== undefined && next <= nowMs) {
    slot = next;
    count += 1;
    // Counted no further: all that is wanted beyond is the newest.
    if (count >= MAX_COUNTED) next = undefined;
    else next = times.nextRun(new Date(next))?.getTime();
  }
  if (slot === undefined) return { slot, isToRun: false, missed: 0, next };
  if (count >= MAX_COUNTED) slot = times.previousRuns(1, new Date(nowMs))[0]?.getTime() ?? slot;
  const isOnTime = nowMs - slot <= ON_TIME_MS;
  const isToRun = isOnTime || catchUp;
  const left = isOnTime ? count - 1 : count;
  // A run that is made up for stands for all that were missed.
  return {
    slot,
    isToRun,
    missed: catchUp ? 0 : left,
    next: next ?? times.nextRun(new Date(nowMs))?.getTime(),
  };
}
