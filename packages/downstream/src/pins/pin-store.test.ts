import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createStore } from '@nexus/store';
import { findPostgres, startPostgres } from '@nexus/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram } from '../../../../vitest.programs.ts';
import { opener } from '../store/database.ts';
import { createPinStore } from './pin-store.ts';
import { pinHash } from './pinned-fields.ts';

const PINNING_PROCESS = await bundleProgram(new URL('../../test/pinning-process.ts', import.meta.url));

function tool(name: string, description: string) {
  const definition = { name, description, inputSchema: { type: 'object' } };
  return { name, hash: pinHash(definition), definition };
}
const address = (server: string) => ({ toolbox: 'box', server });

describe.each(['sqlite', 'postgres'] as const)('pins that several machines share, on %s', (dialect) => {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-pins-'));
  let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
  const stores: ReturnType<typeof createStore>[] = [];
  /** Each with a connection of its own, as another process has. */
  const machine = () => {
    const store = createStore({ projectId: 'test', dataDir: folder, databaseUrl: postgres?.url });
    stores.push(store);
    return createPinStore(opener(store));
  };

  beforeAll(async () => {
    const found = findPostgres();
    if (dialect === 'postgres' && found) postgres = await startPostgres(found);
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.skipIf(dialect === 'postgres' && !findPostgres())(
    'take one of two first definitions, and hold the other back',
    async () => {
      const [one, other] = [machine(), machine()];
      for (let round = 0; round < 10; round++) {
        const at = address(`race-${round}`);
        const [kept, wrong] = await Promise.all([
          one.check(at, [tool('b', 'x'), tool('a', 'one')]),
          other.check(at, [tool('a', 'other'), tool('b', 'x')]),
        ]);
        expect([...kept, ...wrong]).toEqual(['a']);
      }
    },
  );

  it.skipIf(dialect === 'postgres' && !findPostgres())(
    'keep what one holds back though another lists it as it was',
    async () => {
      const [poisoned, sound] = [machine(), machine()];
      const at = address('held');
      await sound.check(at, [tool('a', 'good')]);
      expect([...(await poisoned.check(at, [tool('a', 'bad')]))]).toEqual(['a']);
      expect([...(await sound.check(at, [tool('a', 'good')]))]).toEqual([]);
      const pending = async () => (await sound.pending()).filter(({ server }) => server === 'held');
      expect(await pending()).toHaveLength(1);
      await poisoned.check(at, [tool('a', 'good')]);
      expect(await pending()).toEqual([]);
    },
  );

  it.skipIf(dialect === 'postgres' && !findPostgres())(
    'accept what was shown and is listed still, and nothing else',
    async () => {
      const [before, now] = [machine(), machine()];
      const at = address('shown');
      const pending = async (pins = now) => (await pins.pending()).filter(({ server }) => server === 'shown');
      await before.check(at, [tool('a', 'good')]);
      await before.check(at, [tool('a', 'bad')]);
      const [shown] = await pending(before);
      await before.check(at, [tool('a', 'worse')]);
      expect(await before.accept(at, [shown?.hash ?? ''])).toEqual([]);
      // Its holder has gone, and the server lists it as it was.
      await now.check(at, [tool('a', 'good')]);
      const [stale] = await pending();
      expect(stale?.isListed).toBe(false);
      expect(await now.accept(at, [stale?.hash ?? ''])).toEqual([]);
      await now.check(at, [tool('a', 'worse')]);
      expect(await now.accept(at, [stale?.hash ?? ''])).toHaveLength(1);
      expect(await pending()).toEqual([]);
    },
  );

  it.skipIf(dialect === 'postgres' && !findPostgres())(
    'are accepted by one of two who accept the same at once',
    async () => {
      const [one, other] = [machine(), machine()];
      for (let round = 0; round < 10; round++) {
        const at = address(`accepted-${round}`);
        await one.check(at, [tool('a', 'good')]);
        await one.check(at, [tool('a', 'changed')]);
        const [shown] = (await one.pending()).filter(({ server }) => server === at.server);
        const hashes = [shown?.hash ?? ''];
        const [first, second] = await Promise.all([one.accept(at, hashes), other.accept(at, hashes)]);
        expect([...first, ...second]).toMatchObject([{ server: at.server, tool: 'a' }]);
        expect([...(await other.check(at, [tool('a', 'changed')]))]).toEqual([]);
      }
    },
  );

  it.skipIf(dialect === 'postgres' && !findPostgres())(
    'are read, decided and written by one process at a time: nothing new passes, and no hold is lifted',
    async () => {
      await using one = pinningProcess(folder, postgres?.url);
      await using other = pinningProcess(folder, postgres?.url);
      for (let round = 0; round < 12; round++) {
        const at = `processes-${round}`;
        const both = await Promise.all([
          one.list(at, { a: 'one', b: 'x' }),
          other.list(at, { b: 'x', a: 'other' }),
        ]);
        expect(both.flat()).toEqual(['a']);
        const pinnedAs = both[0].length === 0 ? 'one' : 'other';
        const again = await Promise.all([
          one.list(at, { a: pinnedAs, b: 'poisoned' }),
          other.list(at, { a: pinnedAs, b: 'x' }),
        ]);
        expect(again).toEqual([['b'], []]);
        // Its own hold is lifted by one, while the other holds something worse back, and that stays.
        const last = await Promise.all([
          one.list(at, { a: pinnedAs, b: 'x' }),
          other.list(at, { a: pinnedAs, b: 'worse' }),
        ]);
        expect(last).toEqual([[], ['b']]);
      }
      const pending = (await machine().pending()).filter(({ server }) => server.startsWith('processes-'));
      expect(pending.filter(({ tool: name }) => name === 'b')).toHaveLength(12);
    },
  );
});

/** Lists tools as another machine does, in a process of its own. */
function pinningProcess(dataDir: string, databaseUrl: string | undefined) {
  const args = [PINNING_PROCESS, dataDir, ...(databaseUrl === undefined ? [] : [databaseUrl])];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async list(server: string, tools: Readonly<Record<string, string>>): Promise<string[]> {
      child.stdin.write(`${JSON.stringify([server, Object.entries(tools)])}\n`);
      const { value } = await answers.next();
      return JSON.parse(value) as string[];
    },
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit');
      child.stdin.end();
      await exit;
    },
  };
}
