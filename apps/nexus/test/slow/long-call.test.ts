import { expect, it } from 'vitest';
import { shareProject } from '../harness/shared-project.ts';

/** Longer than the time after which clients give up by default. */
const CALL_MS = 61_000;

it('a call over a bridge that is longer than a minute is reported on and answered', async () => {
  await using project = await shareProject({ slowPlugin: true });
  await project.host();
  const { session } = await project.host();
  const { result } = await session.call(
    'slow_wait_long',
    { ms: CALL_MS },
    { _meta: { progressToken: 'token' } },
  );
  expect(result.structuredContent).toEqual({ waitedMs: CALL_MS });
  const reports = session.received.filter(({ method }) => method === 'notifications/progress');
  expect(reports.length).toBeGreaterThanOrEqual(6);
});
