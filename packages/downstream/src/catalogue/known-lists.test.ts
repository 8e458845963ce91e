import { expect, it } from 'vitest';
import type { ListedTool } from '../definitions/listed-tool.ts';
import { listAddress } from '../server-address.ts';
import type { OpenDatabase } from '../store/database.ts';
import { createKnownLists } from './known-lists.ts';
import { digestOf, readList } from './tool-list.ts';

const address = { toolbox: 'box', server: 's', listKey: 'k', settingsKey: 'k', hasGlobs: false };
const tool = (description: string) => ({ name: 'a', description, inputSchema: { type: 'object' } });

const opening = (db: object) =>
  Object.assign(async () => db, { now: 0, toRead: async () => db }) as unknown as OpenDatabase;

it('looks at the list that its server gave last, though another came while pins were accepted', async () => {
  const checked: (string | undefined)[] = [];
  let isAccepted = false;
  const pins = {
    async check(_: unknown, listed: readonly ListedTool[]) {
      await new Promise(setImmediate);
      const said = String(listed[0]?.definition.description);
      checked.push(said);
      return new Set(said === 'bad' && !isAccepted ? ['a'] : []);
    },
  };
  const nothing = { execute: async () => [] };
  const query = { values: () => query, onConflict: () => nothing };
  const row = { where: () => row, executeTakeFirst: async () => undefined };
  const open = opening({ insertInto: () => query, selectFrom: () => ({ select: () => row }) });
  const lists = createKnownLists(open, pins as never, 'build');
  await lists.listed(address as never, [tool('good')]);
  const listing = lists.listed(address as never, [tool('bad')]);
  const looking = lists.recheck(address as never);
  await Promise.all([listing, looking]);
  expect(checked).toEqual(['good', 'bad', 'bad']);
  expect([...(lists.get(address as never)?.pending ?? [])]).toEqual(['a']);
  isAccepted = true;
  await lists.recheck(address as never);
  expect([...(lists.get(address as never)?.pending ?? [])]).toEqual([]);
});

it('asks for many lists at once which of them are on record, and reads those alone', async () => {
  const kept = readList([tool('kept')]);
  const statements: string[] = [];
  const recorded = listAddress({ toolbox: 'box-7', server: 's', settingsKey: 'k' });
  const select = (columns: string | readonly string[]) => {
    statements.push(String(columns));
    const query = {
      where: () => query,
      execute: async () => [{ toolbox: 'box-7', server: 's', settings_key: 'k' }],
      executeTakeFirst: async () => ({ tools: kept.text, digest: digestOf(kept, 'build') }),
    };
    return query;
  };
  const open = opening({ selectFrom: () => ({ select }) });
  const lists = createKnownLists(open, { check: async () => new Set() } as never, 'build');
  await lists.load(
    Array.from({ length: 400 }, (_, at) =>
      listAddress({ toolbox: `box-${at}`, server: 's', settingsKey: 'k' }),
    ),
  );
  expect(statements).toEqual(['toolbox,server,settings_key', 'toolbox,server,settings_key', 'tools,digest']);
  expect(lists.get(recorded)?.tools).toHaveLength(1);
});

it('leaves others their turn after each list that it brings to memory', async () => {
  const kept = readList([tool('kept')]);
  const query = {
    where: () => query,
    executeTakeFirst: async () => ({ tools: kept.text, digest: digestOf(kept, 'build') }),
  };
  const open = opening({ selectFrom: () => ({ select: () => query }) });
  const pins = { check: async () => new Set() };
  const lists = createKnownLists(open, pins as never, 'build');
  const addresses = Array.from({ length: 40 }, (_, at) =>
    listAddress({ toolbox: `box-${at}`, server: 's', settingsKey: 'k' }),
  );
  const known = () => addresses.filter((each) => lists.get(each)).length;
  /** How many lists came to memory from one turn of somebody else to the next. */
  const atOnce: number[] = [];
  let before = 0;
  const look = () => {
    atOnce.push(known() - before);
    before = known();
    looking = setImmediate(look);
  };
  let looking = setImmediate(look);
  await lists.load(addresses);
  clearImmediate(looking);
  expect(known()).toBe(40);
  expect(Math.max(...atOnce)).toBe(1);
  expect(before).toBeGreaterThanOrEqual(39);
});
