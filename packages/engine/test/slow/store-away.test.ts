import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres, startPostgres } from '@nexus/store/postgres-server';
import { expect, it } from 'vitest';
import { counterOf, ended, kindOf, startEngine } from '../engine-under-test.ts';

const binaries = findPostgres();

it.skipIf(!binaries)(
  'a run goes on, and repeats nothing, where its store was away for a minute',
  async () => {
    const server = await startPostgres(binaries ?? '');
    const dataDir = mkdtempSync(join(tmpdir(), 'nexus-engine-'));
    let aheadMs = 0;
    try {
      const location = {
        projectId: 'away',
        dataDir,
        databaseUrl: await server.createSchema(),
        testClock: () => Date.now() + aheadMs,
      };
      const count = counterOf();
      let finish = () => {};
      const kind = kindOf(async (_: null, run) => {
        await run.step('before', () => count.add('before'));
        await run.step('away', () => {
          count.add('away');
          return new Promise<string>((resolve) => {
            finish = () => resolve('ended while nobody could write it down');
          });
        });
        return run.step('after', () => count.add('after'));
      });
      await using process = startEngine({ location, ahead() {}, async [Symbol.asyncDispose]() {} }, [kind]);
      await process.engine.adopt();
      const { id } = await process.runs.start(kind, null);
      await expect.poll(() => count.all).toMatchObject({ away: 1 });
      await server.crash();
      finish();
      aheadMs += 60_000;
      await server.restart();
      await expect
        .poll(async () => (await process.runs.get(id).catch(() => undefined))?.status, { timeout: 60_000 })
        .toBe('completed');
      expect(await ended(process.runs, id)).toMatchObject({ output: 1 });
      expect(count.all).toEqual({ before: 1, away: 1, after: 1 });
    } finally {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
);
