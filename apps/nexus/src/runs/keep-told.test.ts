import { afterEach, expect, it, vi } from 'vitest';

const { written, askRuns } = vi.hoisted(() => ({
  written: vi.fn(async () => true),
  askRuns: vi.fn(async (_request: object, _config: string | undefined) => ({})),
}));
vi.mock('../terminal/output.ts', () => ({ written }));
vi.mock('./ask-runs.ts', () => ({ askRuns }));

// Another file of tests may have put other modules in their place, and loaded this with them.
vi.resetModules();
const { keepTold } = await import('./keep-told.ts');
afterEach(() => void vi.clearAllMocks());

const run = (id: string, status: 'failed' | 'completed' | 'running') => ({ id, status });

it('keeps that a person was shown what failed, once that has left this process', async () => {
  let leave = () => {};
  written.mockReturnValueOnce(
    new Promise((resolve) => {
      leave = () => resolve(true);
    }),
  );
  const kept = keepTold([run('a', 'failed'), run('b', 'completed'), run('c', 'failed')], 'config.json');
  await new Promise(setImmediate);
  expect(askRuns).not.toHaveBeenCalled();
  leave();
  await kept;
  expect(askRuns.mock.calls).toEqual([[{ what: 'told', ids: ['a', 'c'] }, 'config.json']]);
});

it('keeps nothing where whoever reads it has gone', async () => {
  written.mockResolvedValueOnce(false);
  await keepTold([run('a', 'failed')], undefined);
  expect(askRuns).not.toHaveBeenCalled();
});

it('asks nothing where nothing failed', async () => {
  await keepTold([run('a', 'completed'), run('b', 'running')], undefined);
  expect(written).not.toHaveBeenCalled();
  expect(askRuns).not.toHaveBeenCalled();
});
