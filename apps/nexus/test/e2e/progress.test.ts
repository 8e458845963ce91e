import { expect } from 'vitest';
import { makeProject } from '../harness/project.ts';
import type { Message } from '../harness/session.ts';
import { verifies } from '../harness/verifies.ts';

const isProgress = ({ method }: Message) => method === 'notifications/progress';

verifies('progress.beat', 'reports on a silent call again and again', async (way) => {
  await using project = await makeProject({ slowPlugin: true });
  await using server = await way.open(project);
  const { session } = server;
  const called = session.call('slow_wait', { ms: 12_000 }, { _meta: { progressToken: 'beat' } });
  const marks = [Date.now()];
  for (const count of [1, 2]) {
    await session.waitFor(() => session.received.filter(isProgress).length >= count);
    marks.push(Date.now());
  }
  expect((await called).result.structuredContent.waitedMs).toBe(12_000);
  marks.push(Date.now());
  for (const [index, mark] of marks.entries()) {
    expect(mark - (marks[index - 1] ?? mark), `gap before report ${index}`).toBeLessThanOrEqual(10_000);
  }
  const reports = session.received.filter(isProgress).map(({ params }) => params);
  expect(reports.every(({ progressToken }) => progressToken === 'beat')).toBe(true);
  expect(reports[0].message).toContain('slow_wait');
  expect(reports[1].progress).toBeGreaterThan(reports[0].progress);
});

verifies('progress.report', 'passes on what a tool reports, and then its result', async (way) => {
  await using project = await makeProject({ slowPlugin: true });
  await using server = await way.open(project);
  const { session } = server;
  // 0 is a token, not the absence of one.
  await session.call('slow_step', { steps: 20 }, { _meta: { progressToken: 0 } });
  await session.ask('ping');
  const [, ...after] = session.received;
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
  await using project = await makeProject({ slowPlugin: true });
  await using server = await way.open(project);
  await server.session.call('slow_step', { steps: 3 });
  await server.session.ask('ping');
  expect(server.session.received.filter(isProgress)).toEqual([]);
});
