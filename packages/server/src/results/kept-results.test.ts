import { scopeOf } from '@nexus/testing';
import { expect, it } from 'vitest';
import { createKeptResults } from './kept-results.ts';

it('gives a text back to the session that got it, and to no other', () => {
  const results = createKeptResults({ maxResultChars: 1 });
  const { uri } = results.keep(scopeOf('mine'), 'the whole', 'text/plain');
  expect(uri).toMatch(/^nexus:\/\/results\/[0-9a-f-]{36}$/);
  expect(results.read(scopeOf('mine'), uri)).toEqual({ uri, mimeType: 'text/plain', text: 'the whole' });
  expect(results.read(scopeOf('another'), uri)).toBeUndefined();
  expect(results.read(scopeOf('mine'), `${uri}0`)).toBeUndefined();
});

it('forgets with the session, and keeps nothing for one that is over', async () => {
  const results = createKeptResults({ maxResultChars: 1 });
  const session = scopeOf('mine');
  const mine = results.keep(session, 'a', 'text/plain');
  const theirs = results.keep(scopeOf('another'), 'b', 'text/plain');
  await session.end();
  expect(results.read(session, mine.uri)).toBeUndefined();
  expect(results.read(session, results.keep(session, 'c', 'text/plain').uri)).toBeUndefined();
  expect(results.read(scopeOf('another'), theirs.uri)).toBeDefined();
  expect(results.ids(session)).toEqual([]);
});

it('drops what was used longest ago where there is too much, and never the newest', () => {
  const results = createKeptResults({ maxResultChars: 1, maxKeptChars: 10 });
  const keep = (text: string) => results.keep(scopeOf('s'), text, 'text/plain').uri;
  const [first, second] = [keep('11111'), keep('22222')];
  results.read(scopeOf('s'), first);
  const third = keep('333');
  expect([first, second, third].map((uri) => results.read(scopeOf('s'), uri)?.text)).toEqual([
    '11111',
    undefined,
    '333',
  ]);
  const huge = keep('4'.repeat(20));
  expect(results.read(scopeOf('s'), huge)?.text).toHaveLength(20);
  expect(results.ids(scopeOf('s'))).toHaveLength(1);
});

it('writes no more at once than may wait, and says which it left out', async () => {
  const put: string[] = [];
  const faults: unknown[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const disk = {
    put: async (_id: string, { text }: { text: string }) => void put.push(text),
    get: async () => undefined,
  };
  const redact = (text: string) => gate.then(() => text);
  const results = createKeptResults({
    maxResultChars: 1,
    maxWaitingChars: 10,
    disk,
    redact,
    onFault: (fault) => faults.push(fault),
  });
  for (const text of ['1'.repeat(20), '2', '3']) results.keep(scopeOf('s'), text, 'text/plain');
  open();
  await results.written();
  results.keep(scopeOf('s'), '4', 'text/plain');
  await results.written();
  expect(put).toEqual(['1'.repeat(20), '4']);
  expect(faults.map(String)).toEqual(
    Array(2).fill('Error: 20 characters of other results wait to be written'),
  );
});
