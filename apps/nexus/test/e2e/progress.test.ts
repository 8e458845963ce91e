import { expect } from 'vitest';
import { fastClock } from '../harness/fast-clock.ts';
import { makeProject } from '../harness/project.ts';
import type { Message } from '../harness/session.ts';
import { sharedServer } from '../harness/shared-server.ts';
import { verifies, verifiesAnew } from '../harness/verifies.ts';

const shared = sharedServer({ slowPlugin: true });

const isProgress = ({ method }: Message) => method === 'notifications/progress';

verifiesAnew('progress.beat', 'reports on a silent call again and again', async (way) => {
  await using project = await makeProject({ slowPlugin: true });
  await using server = await way.open(project, { nodeArgs: fastClock });
  const { session } = server;
  const { result } = await session.call(
    'slow_wait_long',
    { ms: 150_000 },
    { _meta: { progressToken: 'beat' } },
  );
  expect(result.structuredContent.waitedMs).toBe(150_000);
  const reports = session.received.filter(isProgress).map(({ params }) => params);
  expect(reports.length).toBeGreaterThanOrEqual(3);
  expect(reports.every(({ progressToken }) => progressToken === 'beat')).toBe(true);
  expect(reports[0].message).toContain('slow_wait');
  for (const [index, { progress }] of reports.entries()) {
    expect(progress).toBeGreaterThan(reports[index - 1]?.progress ?? 0);
  }
});

verifies('progress.report', 'passes on what a tool reports, and then its result', async (way) => {
  const { server } = await shared(way);
  const { session } = server;
  const before = session.received.length;
  // 0 is a token, not the absence of one.
  await session.call('slow_step', { steps: 20 }, { _meta: { progressToken: 0 } });
  await session.ask('ping');
  const after = session.received.slice(before);
  const reports = after.filter(isProgress).map(({ params }) => params);
  const expected = Array.from({ length: 20 }, (_, index) => ({
    progressToken: 0,
    progress: index + 1,
    total: 20,
    message: `step ${index + 1}`,
  }));
  expect(reports).toEqual(expected);
  expect(after.findLastIndex(isProgress)).toBeLessThan(after.findIndex(({ result }) => result?.content));
});

verifies('progress.report', 'sends none to a client that asked for none', async (way) => {
  const { server } = await shared(way);
  const { session } = server;
  const before = session.received.length;
  await session.call('slow_step', { steps: 3 });
  await session.ask('ping');
  expect(session.received.slice(before).filter(isProgress)).toEqual([]);
});
