import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@nexus/plugin-sdk';
import { createStore, type StoreLocation } from '@nexus/store';
import { collectLog, findPostgres, type PostgresServer, startPostgres } from '@nexus/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createKnownLists } from '../catalogue/known-lists.ts';
import { createPinStore } from '../pins/pin-store.ts';
import { listAddress } from '../server-address.ts';
import { createLearntShapes } from '../shapes/learnt-shapes.ts';
import { opener } from './database.ts';
import { createOpenToolboxes } from './open-toolboxes.ts';

const DAY_MS = 86_400_000;
const binaries = findPostgres();
if (!binaries)
  console.warn('No Postgres on this machine (initdb, postgres): toolboxes are tested on SQLite alone.');

const echo = (description: string) => ({ name: 'echo', description, inputSchema: { type: 'object' } });
const many = Array.from({ length: 250 }, (_, at) => ({ ...echo('one of many'), name: `tool_${at}` }));
const address = listAddress({ toolbox: 'a', server: 's', settingsKey: 'k' });

const { log } = collectLog();

function openParts(store: Store) {
  const open = opener(store);
  const pins = createPinStore(open);
  return {
    pins,
    lists: createKnownLists(open, pins, 'build'),
    /** As a process of another build has them. */
    otherLists: createKnownLists(open, pins, 'other build'),
    digest: async () => {
      const db = await open();
      return (await db.selectFrom('toolboxes_catalogue').select('digest').executeTakeFirst())?.digest;
    },
    listedAt: async () => {
      const db = await open();
      return (await db.selectFrom('toolboxes_catalogue').select('listed_at').executeTakeFirst())?.listed_at;
    },
    open: createOpenToolboxes(open),
    shapes: createLearntShapes(open, log),
  };
}

type Parts = ReturnType<typeof openParts>;

const definitionsIn = (lists: Parts['lists']) =>
  lists.get(address)?.tools.map(({ definition }) => definition);

describe.each([{ name: 'SQLite' }, { name: 'Postgres' }])('on $name', ({ name }) => {
  const isThere = name === 'SQLite' || binaries !== undefined;
  let folder = '';
  let postgres: PostgresServer | undefined;
  let now: number | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'nexus-toolboxes-'));
    if (name === 'Postgres' && binaries) postgres = await startPostgres(binaries);
  });
  afterAll(async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What one server after the other does on the same tables. */
  async function onStores(...works: ((parts: Parts) => Promise<void>)[]): Promise<void> {
    const location: StoreLocation = postgres
      ? { projectId: 'test', dataDir: '', databaseUrl: await postgres.createSchema() }
      : { projectId: 'test', dataDir: mkdtempSync(join(folder, 'data-')) };
    for (const work of works) {
      const store = createStore({ ...location, ...(now === undefined ? {} : { testClock: () => now ?? 0 }) });
      try {
        await work(openParts(store));
      } finally {
        await store.close();
      }
    }
  }

  it.skipIf(!isThere)('a list that is on record is not written again by the next server', async () => {
    const first = Date.UTC(2030, 0, 1);
    now = first;
    const lists = async ({ lists, listedAt }: Parts) => {
      await lists.listed(address, many);
      expect(await listedAt()).toBe(first);
      now = first + 60_000;
    };
    await onStores(lists, lists);
    now = undefined;
  });

  it.skipIf(!isThere)('what results look like is known to the next server, and added to by it', async () => {
    const tool = (name: string) => ({
      ...{ toolbox: 'a', server: 's', tool: name, registeredName: name, definition: echo('Echoes.') },
      hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    const answered = (value: object) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
    const learn = async ({ shapes }: Parts, ...values: object[]) => {
      for (const value of values) shapes.learn(tool('one'), answered(value), 'alice');
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    };
    await onStores(
      async (parts) => {
        await learn(parts, { a: 1, b: 'x' }, { a: 2, b: 'y' });
        await parts.shapes.stop();
      },
      async (parts) => {
        expect(await parts.shapes.of([tool('one'), tool('other')], 'alice')).toEqual([
          {
            type: 'object',
            properties: { a: { type: 'number' }, b: { type: 'string' } },
            required: ['a', 'b'],
          },
          undefined,
        ]);
        await learn(parts, { a: null });
        await parts.shapes.stop();
      },
      async ({ shapes }) => {
        expect(await shapes.of([tool('one')], 'mallory')).toEqual([undefined]);
        expect(await shapes.of([tool('one')], undefined)).toEqual([undefined]);
        expect(await shapes.of([tool('one')], 'alice')).toMatchObject([
          { properties: { a: { anyOf: [{ type: 'null' }, { type: 'number' }] } }, required: ['a'] },
        ]);
      },
    );
  });

  it.skipIf(!isThere)('lists are known to the next server, with what is held back of them', async () => {
    await onStores(
      async ({ lists, pins }) => {
        await lists.load([address]);
        expect(lists.get(address)).toBeUndefined();
        await lists.listed(address, [echo('as it was'), ...many]);
        await lists.listed(address, [echo('changed'), ...many]);
        expect([...(lists.get(address)?.pending ?? [])]).toEqual(['echo']);
        expect(await pins.pending()).toHaveLength(1);
      },
      async ({ lists, pins }) => {
        await lists.load([address, listAddress({ ...address, server: 'other' })]);
        expect(definitionsIn(lists)).toEqual([echo('changed'), ...many]);
        expect([...(lists.get(address)?.pending ?? [])]).toEqual(['echo']);
        const changes = [{ field: 'description', old: 'as it was', new: 'changed' }];
        const shown = (await pins.pending()).map(({ hash }) => hash);
        expect(await pins.accept({ toolbox: 'a', server: 's', tool: 'echo' }, shown)).toMatchObject([
          { toolbox: 'a', server: 's', tool: 'echo', changes },
        ]);
        await lists.recheck(address);
        expect(lists.get(address)?.pending.size).toBe(0);
        expect(await pins.pending()).toEqual([]);
      },
    );
  });

  it.skipIf(!isThere)('what another build made of a list is made anew, and kept', async () => {
    await onStores(
      ({ lists }) => lists.listed(address, many),
      async ({ otherLists, digest }) => {
        expect(await digest()).toMatch(/^{"build":"build"/);
        await otherLists.load([address]);
        expect(definitionsIn(otherLists)).toEqual(many);
        expect(await digest()).toMatch(/^{"build":"other build"/);
      },
    );
  });

  it.skipIf(!isThere)('a list that its server has just given counts, not the one on record', async () => {
    const fresh = [echo('changed')];
    await onStores(
      ({ lists }) => lists.listed(address, [echo('as it was')]),
      async ({ lists, pins }) => {
        await Promise.all([lists.listed(address, fresh), lists.load([address])]);
        expect(definitionsIn(lists)).toEqual(fresh);
        expect([...(lists.get(address)?.pending ?? [])]).toEqual(['echo']);
        expect(await pins.pending()).toHaveLength(1);
      },
    );
  });

  it.skipIf(!isThere)('a list is told of once, and again only when it is another', async () => {
    await onStores(async ({ lists }) => {
      const changed = vi.fn();
      lists.onChange(changed);
      await lists.listed(address, many);
      await lists.listed(address, structuredClone(many));
      expect(changed).toHaveBeenCalledTimes(1);
      await lists.listed(address, many.slice(1));
      expect(changed).toHaveBeenCalledTimes(2);
    });
  });

  it.skipIf(!isThere)('open toolboxes are kept for days, and no longer', async () => {
    now = Date.UTC(2030, 0, 1);
    await onStores(
      async ({ open }) => {
        await open.add('old', 'a');
        now = (now ?? 0) + 5 * DAY_MS;
        await open.add('one', 'b');
        await open.add('one', 'a');
        await open.add('one', 'a');
        expect(await open.of('old')).toEqual(['a']);
      },
      async ({ open }) => {
        expect(await open.of('one')).toEqual(['a', 'b']);
        await open.remove('one', 'b');
        expect(await open.of('one')).toEqual(['a']);
        now = (now ?? 0) + 5 * DAY_MS;
        await open.add('two', 'a');
        expect([await open.of('old'), await open.of('one')]).toEqual([[], ['a']]);
        await open.remove('one');
        expect(await open.of('one')).toEqual([]);
      },
    );
  });
});
