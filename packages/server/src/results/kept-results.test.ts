import { UNKEPT } from '@nexus/primitives';
import { scopeOf } from '@nexus/testing';
import { expect, it } from 'vitest';
import { createKeptResults } from './kept-results.ts';
import type { StoredResult } from './results-on-disk.ts';

const plain = (text: string) => ({ text, mimeType: 'text/plain' });

it('gives a text back to the session that got it, and to no other', () => {
  const results = createKeptResults({ maxResultChars: 1 });
  const { uri } = results.keep(scopeOf('mine'), plain('the whole'));
  expect(uri).toMatch(/^nexus:\/\/results\/[0-9a-f-]{36}$/);
  expect(uri).toHaveLength(UNKEPT.length);
  expect(results.read(scopeOf('mine'), uri)).toEqual({ uri, mimeType: 'text/plain', text: 'the whole' });
  expect(results.read(scopeOf('another'), uri)).toBeUndefined();
  expect(results.read(scopeOf('mine'), `${uri}0`)).toBeUndefined();
});

it('forgets with the session, and keeps nothing for one that is over', async () => {
  const results = createKeptResults({ maxResultChars: 1 });
  const session = scopeOf('mine');
  const mine = results.keep(session, plain('a'));
  const theirs = results.keep(scopeOf('another'), plain('b'));
  await session.end();
  expect(results.read(session, mine.uri)).toBeUndefined();
  expect(results.read(session, results.keep(session, plain('c')).uri)).toBeUndefined();
  expect(results.read(scopeOf('another'), theirs.uri)).toBeDefined();
  expect(results.ids(session)).toEqual([]);
});

it('drops what was used longest ago where there is too much, and never the newest', () => {
  const results = createKeptResults({ maxResultChars: 1, maxKeptChars: 10 });
  const keep = (text: string) => results.keep(scopeOf('s'), plain(text)).uri;
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

it('remembers whose words it is in, on disk too', async () => {
  const onDisk = new Map<string, StoredResult>();
  const disk = {
    put: async (id: string, result: StoredResult) => void onDisk.set(id, result),
    get: async (id: string) => onDisk.get(id),
  };
  const results = createKeptResults({ maxResultChars: 1, disk });
  const { uri } = results.keep(scopeOf('s'), { ...plain('a'), whose: 'box/it' });
  await results.written([uri]);
  const theirs = { uri, ...plain('a'), whose: 'box/it' };
  expect(results.read(scopeOf('s'), uri)).toEqual(theirs);
  const reader = { session: scopeOf('later'), user: undefined };
  expect(await createKeptResults({ maxResultChars: 1, disk }).find(reader, uri)).toEqual(theirs);
});

it('says when what it names is on disk, or why it is not', async () => {
  const put: string[] = [];
  const faults: unknown[] = [];
  const gates = new Map<string, () => void>();
  const disk = {
    async put(_id: string, { text }: { text: string }) {
      if (text === 'bad') throw new Error('the disk is full');
      put.push(text);
    },
    get: async () => undefined,
  };
  const redact = (text: string) =>
    new Promise<string>((resolve) => {
      gates.set(text, () => resolve(text));
    });
  const results = createKeptResults({
    maxResultChars: 1,
    disk,
    redact,
    onFault: (fault) => faults.push(fault),
  });
  const [slow, quick, bad] = ['slow', 'quick', 'bad'].map(
    (text) => results.keep(scopeOf('s'), plain(text)).uri,
  );
  let isSlowWritten = false;
  const written = results.written([slow as string]).then(() => {
    isSlowWritten = true;
  });
  gates.get('quick')?.();
  gates.get('bad')?.();
  await results.written([quick as string, bad as string]);
  expect({ put, isSlowWritten, faults: faults.map(String) }).toEqual({
    put: ['quick'],
    isSlowWritten: false,
    faults: ['Error: the disk is full'],
  });
  gates.get('slow')?.();
  await results.written();
  await written;
  expect(put).toEqual(['quick', 'slow']);
});
