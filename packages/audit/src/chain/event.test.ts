import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChainLine, lineOf, NO_EVENT, readLine } from './event.ts';

const event: Omit<ChainLine, 'hash'> = {
  v: 1,
  writer: 'w',
  project: 'p',
  seq: 0,
  at: '2026-01-01T00:00:00.000Z',
  prev: NO_EVENT,
  kind: 'writer.begin',
  data: { b: [{ d: 1, e: null }], c: 'é' },
};
const body =
  `{"at":"2026-01-01T00:00:00.000Z","data":{"b":[{"d":1,"e":null}],"c":"é"},"kind":"writer.begin",` +
  `"prev":"${'0'.repeat(64)}","project":"p","seq":0,"v":1,"writer":"w"}`;

/** A line of any words, with the hash that they have. */
const sealed = (words: string) => {
  const hash = createHash('sha256').update(words).digest('hex');
  return `${words.slice(0, -1)},"hash":"${hash}"}`;
};
const changed = (change: Readonly<Record<string, unknown>>) => {
  const all: Record<string, unknown> = { ...event, ...change };
  const keys = Object.keys(all).filter((key) => all[key] !== undefined);
  return sealed(JSON.stringify(Object.fromEntries(keys.toSorted().map((key) => [key, all[key]]))));
};

it('a line is the canonical JSON of its event, and the hash of that', () => {
  const hash = createHash('sha256').update(body).digest('hex');
  expect(lineOf(event)).toEqual({ text: `${body.slice(0, -1)},"hash":"${hash}"}`, hash });
  expect(readLine(lineOf(event).text)).toEqual({ ...event, hash });
});

it('any event is read as it was written', () => {
  const data = fc.dictionary(
    fc.string().filter((key) => !/^\d+$/.test(key) && key !== '__proto__'),
    fc.jsonValue({ maxDepth: 2 }),
  );
  fc.assert(
    fc.property(fc.nat(), fc.string(), data, (seq, kind, value) => {
      const made = { ...event, seq, kind, data: JSON.parse(JSON.stringify(value)) };
      const { text, hash } = lineOf(made);
      const read = readLine(text);
      // Keys that are whole numbers are none that an event has: what has them is told, never taken for another event.
      if (typeof read !== 'string') expect(read).toEqual({ ...made, hash });
      else expect(text).toMatch(/"\d+":/);
    }),
  );
});

describe('what is changed', () => {
  const text = sealed(body);
  it.each([
    ['a word', text.replace('writer.begin', 'writer.began')],
    ['the number', text.replace('"seq":0', '"seq":1')],
    ['white space', text.replace('"seq":0', '"seq": 0')],
    ['words that are few', `{"a":1,"hash":"${NO_EVENT}"}`],
    ['the hash', text.replace(/[0-9a-f]{64}"\}$/, `${NO_EVENT}"}`)],
  ])('in %s is told by the hash', (_, line) => {
    expect(readLine(line)).toBe('its hash is not that of its words');
  });

  it.each([
    ['nothing', ''],
    ['no hash', body],
    ['a hash that is short', `${text.slice(0, -3)}"}`],
    ['a hash in capitals', text.replace(/[0-9a-f]{64}"\}$/, (hash) => hash.toUpperCase())],
    ['something after the hash', `${text} `],
    ['something after the hash that another line may have', text.replace(/\}$/, ',"x":1}')],
    ['the hash before its place', text.replace(/^\{(.*),("hash":"[0-9a-f]{64}")\}$/, '{$2,$1}')],
  ])('to %s is no line', (_, line) => {
    expect(readLine(line)).toBe('not a line of a chain');
  });
});

describe('words with their own hash are no line', () => {
  it.each([
    ['what is no JSON', sealed('{"at"}')],
    ['another version', changed({ v: 2 })],
    ['no version', changed({ v: undefined })],
    ['a number that is a text', changed({ seq: '0' })],
    ['half a number', changed({ seq: 0.5 })],
    ['a number that no double tells from the next', changed({ seq: 2 ** 53 })],
    ['data that is a text', changed({ data: 'x' })],
    ['data that is nothing', changed({ data: null })],
    ['no data', changed({ data: undefined })],
    ['a writer that is a number', changed({ writer: 1 })],
    ['no project', changed({ project: undefined })],
    ['no time', changed({ at: undefined })],
    ['nothing before it', changed({ prev: undefined })],
    ['no kind', changed({ kind: null })],
  ])('where they are %s', (_, line) => {
    expect(readLine(line)).toBe('not a line of a chain');
  });

  it.each([
    ['white space', body.replace('"seq":0', '"seq": 0')],
    ['another order', body.replace('"v":1,"writer":"w"', '"writer":"w","v":1')],
    ['another order within', body.replace('{"d":1,"e":null}', '{"e":null,"d":1}')],
    ['a key that stands twice', body.replace('"v":1', '"v":2,"v":1')],
    ['a number written otherwise', body.replace('"d":1', '"d":1.0')],
    ['a letter written otherwise', body.replace('é', '\\u00e9')],
  ])('where they have a second spelling: %s', (_, words) => {
    expect(words).not.toBe(body);
    expect(readLine(sealed(words))).toBe('not a line of a chain');
  });

  it('a list may hold what it likes in any order, and an empty name is a name', () => {
    expect(readLine(changed({ data: { list: ['b', 'a', 2, 1] } }))).toMatchObject({ seq: 0 });
    expect(readLine(changed({ data: { '': 1, a: 2 } }))).toMatchObject({ data: { '': 1, a: 2 } });
    expect(readLine(changed({ data: { list: new Array(12).fill({ a: 1 }) } }))).toMatchObject({ seq: 0 });
  });
});
