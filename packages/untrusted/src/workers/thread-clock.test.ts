import { readlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ThreadClock } from './thread-clock.ts';

/** Until so much time has passed. */
function spin(ms: number): void {
  for (const endsAt = performance.now() + ms; performance.now() < endsAt; );
}

it.runIf(process.platform === 'linux')('counts what a thread used, not what it waited', async () => {
  const clock = new ThreadClock(readlinkSync('/proc/thread-self'));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(clock.leftMs(200)).toBeGreaterThan(0);
  while (clock.leftMs(200) > 0) spin(10);
});

it('does not wait for ever for a thread that gets no processor', async () => {
  const clock = new ThreadClock('self');
  while (clock.leftMs(10) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
});

it('counts the time that passed where the system says nothing', async () => {
  const clock = new ThreadClock(undefined);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(clock.leftMs(20)).toBeLessThanOrEqual(0);
});
