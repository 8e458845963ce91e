import { Cron } from 'croner';
import { z } from 'zod';

/** When a workflow is run by itself. */
export const schedule = z.strictObject({
  cron: z
    .string()
    .min(1)
    .max(200)
    .describe('Minute, hour, day of the month, month, day of the week: `0 7 * * 1-5`.'),
  timezone: z.string().min(1).max(100).default('UTC').describe('Of the IANA list, such as Europe/Berlin.'),
  inputs: z.record(z.string().max(100), z.unknown()).default({}).describe('What each run is given.'),
  catchUp: z
    .boolean()
    .default(false)
    .describe('Whether one run is made up for all times at which no server was there.'),
});

export type Schedule = z.output<typeof schedule>;

/** @returns why it is none that ever comes; undefined where it does */
export function scheduleFault({ cron, timezone = 'UTC' }: { cron: string; timezone?: string | undefined }) {
  try {
    return nextTime({ cron, timezone }, Date.now()) === undefined
      ? { key: 'cron', message: 'names no time that ever comes' }
      : undefined;
  } catch (error) {
    const { message } = error as Error;
    return isTimezone(timezone)
      ? { key: 'cron', message: `is no cron expression: ${message.replace(/^Cron\w+: /, '')}` }
      : { key: 'timezone', message: `there is no timezone "${timezone}"` };
  }
}

/** The first time after one, both in epoch milliseconds. */
export function nextTime({ cron, timezone }: Pick<Schedule, 'cron' | 'timezone'>, afterMs: number) {
  const times = new Cron(cron, { timezone, paused: true, mode: '5-part' });
  return times.nextRun(new Date(afterMs))?.getTime();
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
