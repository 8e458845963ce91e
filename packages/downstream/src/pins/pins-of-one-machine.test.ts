import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStore } from '@nexus/store';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { MAX_LISTED } from '../definitions/bounds.ts';
import { opener } from '../store/database.ts';
import { createPinStore, type PinStore } from './pin-store.ts';
import { pinHash } from './pinned-fields.ts';

const folder = mkdtempSync(join(tmpdir(), 'nexus-pins-'));
const storeOf = () => createStore({ projectId: 'test', dataDir: folder });
const store = storeOf();
const open = opener(store);
let pins: PinStore;
let other: PinStore;
beforeEach(async () => {
  await (await open()).deleteFrom('toolboxes_pins').execute();
  // Each as a process of its own is: it knows what it saw listed, and no more.
  [pins, other] = [createPinStore(open), createPinStore(open)];
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (server: string, toolbox = 'box') => ({ toolbox, server });
/** Tools by name, each with its description. */
function listed(tools: Readonly<Record<string, string>>) {
  return Object.entries(tools).map(([name, description]) => {
    const definition = { name, description, inputSchema: { type: 'object' } };
    return { name, hash: pinHash(definition), definition };
  });
}
const check = async (server: string, tools: Record<string, string>, by = pins) => [
  ...(await by.check(at(server), listed(tools))),
];
/** The changes that wait, as `toolbox/server/tool: old → new`. */
const waiting = async (by = pins) =>
  (await by.pending()).map(({ toolbox, server, tool, changes }) => {
    const told = changes.map((change) => `${change.field} ${change.old} → ${change.new}`);
    return `${toolbox}/${server}/${tool}: ${told.join(', ')}`;
  });
const hashes = async () => (await pins.pending()).map(({ hash }) => hash);

it('takes what is new as it is, holds back what has changed, and shows the difference', async () => {
  expect(await check('s', { a: 'good', b: 'fine' })).toEqual([]);
  expect(await check('s', { a: 'good', b: 'fine' })).toEqual([]);
  expect(await pins.pending()).toEqual([]);
  expect(await check('s', { a: 'bad', b: 'fine', c: 'new' })).toEqual(['a']);
  expect(await pins.pending()).toEqual([
    {
      toolbox: 'box',
      server: 's',
      tool: 'a',
      changes: [{ field: 'description', old: 'good', new: 'bad' }],
      hash: listed({ a: 'bad' })[0]?.hash.slice(0, 40),
      isListed: true,
    },
  ]);
  expect(await check('s', { c: 'changed' })).toEqual(['c']);
  expect(await waiting()).toEqual(['box/s/a: description good → bad', 'box/s/c: description new → changed']);
});

it('shows the latest of several changes, and nothing once it is listed as it was', async () => {
  await check('s', { a: 'good' });
  await check('s', { a: 'bad' });
  expect(await check('s', { a: 'worse' })).toEqual(['a']);
  expect(await waiting()).toEqual(['box/s/a: description good → worse']);
  expect(await check('s', { a: 'good' })).toEqual([]);
  expect(await waiting()).toEqual([]);
  expect(await check('s', { a: 'bad' })).toEqual(['a']);
  expect(await waiting()).toEqual(['box/s/a: description good → bad']);
});

it('keeps tools of one name apart by their server and by their toolbox', async () => {
  await check('s', { a: 'good', b: 'b' });
  await check('t', { a: 'of t' });
  await pins.check(at('s', 'another'), listed({ a: 'of another' }));
  expect(await check('s', { a: 'bad', b: 'b' })).toEqual(['a']);
  expect(await check('t', { a: 'of t' })).toEqual([]);
  expect([...(await pins.check(at('s', 'another'), listed({ a: 'of another' })))]).toEqual([]);
  expect(await waiting()).toEqual(['box/s/a: description good → bad']);
  expect((await pins.pending())[0]?.isListed).toBe(true);
  // And by both where both have changed, each with its own.
  await check('t', { a: 'bad of t' });
  await pins.check(at('s', 'another'), listed({ a: 'bad of another' }));
  await check('s', { b: 'bad b' });
  expect(await waiting()).toEqual([
    'another/s/a: description of another → bad of another',
    'box/s/a: description good → bad',
    'box/s/b: description b → bad b',
    'box/t/a: description of t → bad of t',
  ]);
});

it('pins every tool of a long list', async () => {
  const names = Array.from({ length: MAX_LISTED }, (_, index) => `tool-${index}`);
  const all = Object.fromEntries(names.map((name) => [name, 'good']));
  expect(await check('s', all)).toEqual([]);
  const changed = names.slice(-250);
  const bad = Object.fromEntries(changed.map((name) => [name, 'bad']));
  expect(new Set(await check('s', { ...all, ...bad }, other))).toEqual(new Set(changed));
  expect(await waiting(other)).toHaveLength(250);
});

it('puts what is new on record in the order of names, so that no two who list the same wait for each other', async () => {
  await check('s', { b: 'x', d: 'x', a: 'x', c: 'x' });
  const rows = await (await open()).selectFrom('toolboxes_pins').select('tool').orderBy(sql`rowid`).execute();
  expect(rows.map(({ tool }) => tool)).toEqual(['a', 'b', 'c', 'd']);
});

it('keeps nothing of a change that is over', async () => {
  await check('s', { a: 'good' });
  await check('s', { a: 'bad' });
  await check('s', { a: 'good' });
  const rows = await (await open()).selectFrom('toolboxes_pins').selectAll().execute();
  expect(rows).toMatchObject([{ held_hash: null, held_definition: null }]);
});

it('keeps what another process holds back as it is, whatever this one lists', async () => {
  await check('s', { a: 'good' });
  await check('s', { a: 'bad' });
  expect(await check('s', { a: 'good', b: 'new' }, other)).toEqual([]);
  expect(await check('s', { a: 'good', b: 'new' }, other)).toEqual([]);
  expect(await waiting(other)).toEqual(['box/s/a: description good → bad']);
  // Who lists it otherwise says so, and who holds it back does not.
  expect((await other.pending())[0]?.isListed).toBe(false);
  expect((await pins.pending())[0]?.isListed).toBe(true);
});

it('lets a change in that was shown, by a process that has not listed the tool itself', async () => {
  await check('s', { a: 'good' });
  await check('s', { a: 'bad' });
  const [shown] = await other.pending();
  expect(shown?.isListed).toBe(true);
  expect(await other.accept({}, [shown?.hash ?? ''])).toEqual([shown]);
  expect(await waiting()).toEqual([]);
  expect(await check('s', { a: 'bad' })).toEqual([]);
  expect(await check('s', { a: 'good' })).toEqual(['a']);
  expect(await waiting()).toEqual(['box/s/a: description bad → good']);
});

it('accepts what was shown, and not what it has become', async () => {
  await check('s', { a: 'good' });
  await check('s', { a: 'bad' });
  const shown = await hashes();
  await check('s', { a: 'worse' });
  expect(await pins.accept({}, [])).toEqual([]);
  expect(await pins.accept({}, shown)).toEqual([]);
  expect(await waiting()).toEqual(['box/s/a: description good → worse']);
  // Nor what the server lists no more: this process alone knows that it does not.
  await check('s', { a: 'bad' }, other);
  expect(await pins.accept({}, shown)).toEqual([]);
  expect(await waiting()).toEqual(['box/s/a: description good → bad']);
});

const PLACES = [
  [{}, ['box/s/a', 'box/s/b', 'box/t/a', 'more/s/a']],
  [{ toolbox: 'box' }, ['box/s/a', 'box/s/b', 'box/t/a']],
  [{ toolbox: 'box', server: 's' }, ['box/s/a', 'box/s/b']],
  [{ toolbox: 'box', server: 's', tool: 'a' }, ['box/s/a']],
  [{ server: 's' }, ['box/s/a', 'box/s/b', 'more/s/a']],
  [{ toolbox: 'none' }, []],
] as const;

it.each(PLACES)('accepts what is at %j, and leaves the others waiting', async (place, taken) => {
  for (const word of ['good', 'bad']) {
    await check('s', { a: `${word} 1`, b: `${word} 2` });
    await check('t', { a: `${word} 3` });
    await pins.check(at('s', 'more'), listed({ a: `${word} 4` }));
  }
  const all = await waiting();
  const nameOf = (change: string) => change.slice(0, change.indexOf(':'));
  expect(all.map(nameOf)).toEqual(PLACES[0][1]);
  const accepted = await pins.accept(place, await hashes());
  expect(accepted.map(({ toolbox, server, tool }) => `${toolbox}/${server}/${tool}`)).toEqual(taken);
  expect(await waiting()).toEqual(all.filter((change) => !taken.some((name) => name === nameOf(change))));
  const again = await Promise.all([
    check('s', { a: 'bad 1', b: 'bad 2' }),
    check('t', { a: 'bad 3' }),
    pins.check(at('s', 'more'), listed({ a: 'bad 4' })),
  ]);
  expect(again.flatMap((names) => [...names])).toHaveLength(4 - taken.length);
});

it('needs no turn at the database where all is as it was', async () => {
  await check('s', { a: 'good', b: 'fine' });
  await check('s', { a: 'good', b: 'changed' });
  const writer = storeOf();
  try {
    const db = await opener(writer)();
    await db.transaction().execute(async (trx) => {
      await trx.updateTable('toolboxes_pins').set({ hash: 'another' }).where('tool', '=', 'none').execute();
      expect(await check('s', { a: 'good', b: 'changed' })).toEqual(['b']);
    });
  } finally {
    await writer.close();
  }
});
