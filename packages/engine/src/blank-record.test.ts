import { expect, it } from 'vitest';
import { createEngine } from './engine.ts';

it('lists no job and no run where none was ever begun, and opens nothing for that', async () => {
  const opened: string[] = [];
  const store = {
    openToRead: async () => undefined,
    open: async (name: string) => {
      opened.push(name);
      throw new Error('another process writes');
    },
  };
  const engine = createEngine({ store } as never);
  expect(await engine.jobs.list({ limit: 10 })).toEqual({ jobs: [], total: 0 });
  expect(await engine.jobs.page('session')).toEqual({ jobs: [] });
  expect(await engine.runs.list({ limit: 10 })).toEqual({ runs: [], total: 0 });
  expect(opened).toEqual([]);
});
