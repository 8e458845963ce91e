import { afterEach, expect, it, vi } from 'vitest';
import { written } from '../terminal/output.ts';
import { askRuns } from './ask-runs.ts';
import { keepTold } from './keep-told.ts';

vi.mock('../terminal/output.ts', () => ({ written: vi.fn(async () => true) }));
vi.mock('./ask-runs.ts', () => ({ askRuns: vi.fn(async () => ({})) }));
afterEach(() => void vi.clearAllMocks());

const run = (id: string, status: 'failed' | 'completed' | 'running') => ({ id, status });

it('keeps that a person was shown what failed, once that has left this process', async () => {
  let leave = () => {};
  vi.mocked(written).mockReturnValueOnce(
    new Promise((resolve) => {
      leave = () => resolve(true);
    }),
  );
  const kept = keepTold([run('a', 'failed'), run('b', 'completed'), run('c', 'failed')], 'config.json');
  await new Promise(setImmediate);
  expect(askRuns).not.toHaveBeenCalled();
  leave();
  await kept;
  expect(vi.mocked(askRuns).mock.calls).toEqual([[{ what: 'told', ids: ['a', 'c'] }, 'config.json']]);
});

it('keeps nothing where whoever reads it has gone', async () => {
  vi.mocked(written).mockResolvedValueOnce(false);
  await keepTold([run('a', 'failed')], undefined);
  expect(askRuns).not.toHaveBeenCalled();
});

it('asks nothing where nothing failed', async () => {
  await keepTold([run('a', 'completed'), run('b', 'running')], undefined);
  expect(written).not.toHaveBeenCalled();
  expect(askRuns).not.toHaveBeenCalled();
});
