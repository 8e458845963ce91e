import { describe, expect, it } from 'vitest';
import { boundsFault, endOfString } from './json-bounds.ts';

const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"${at}":1`).join(',')}}`;

const blocks = (count: number) => JSON.stringify({ content: Array(count).fill({ type: 'text', text: 'x' }) });

describe('a JSON text', () => {
  it.each([
    ['one that is flat and small', '{"a":[1,2]}'],
    ['one as deep as may be', '['.repeat(1_000) + ']'.repeat(1_000)],
    ['one with as many members as may be', members(50_000)],
    ['one with as many values as may be', `[${'1,'.repeat(999_999)}1]`],
    ['one with as many objects and arrays as may be', `[${'[],'.repeat(149_998)}[]]`],
    ['a table of many rows', JSON.stringify(Array(149_000).fill({ id: 1, name: 'a', at: 2 }))],
    ['one whose texts hold the marks', JSON.stringify({ a: '[{,:\\"'.repeat(200_000) })],
  ])('is read: %s', (_, text) => {
    expect(boundsFault(text)).toBeUndefined();
  });

  it.each([
    ['is nested more than 1000 levels deep', '['.repeat(1_001)],
    ['holds an object of more than 50000 members', members(50_001)],
    ['holds an object of more than 50000 members', `[{"a":${members(50_001)}}]`],
    ['holds more than 1000000 values', `[${'1,'.repeat(1_000_000)}1]`],
    ['holds more than 150000 objects and arrays', `[${'[],'.repeat(150_000)}1]`],
    ['holds more than 150000 objects and arrays', blocks(150_000)],
    ['holds more than 150000 objects and arrays', `${'[{"a":'.repeat(400)}${blocks(150_000)}`],
  ])('is not read where it %s', (fault, text) => {
    expect(boundsFault(text)).toBe(fault);
  });
});

it('has as many members in each of its objects as may be, beside each other and inside', () => {
  const half = members(30_000);
  expect(boundsFault(`[${half},${half}]`)).toBeUndefined();
  expect(boundsFault(`{"a":${half},"b":${half}}`)).toBeUndefined();
});

it('has fewer members where its reader takes fewer', () => {
  expect(boundsFault(members(400), { maxMembers: 400 })).toBeUndefined();
  expect(boundsFault(members(401), { maxMembers: 400 })).toBe('holds an object of more than 400 members');
});

it('is as deep as its deepest place, and not as its brackets are many', () => {
  expect(boundsFault('[]'.repeat(1_001))).toBeUndefined();
  expect(boundsFault(`${'{'.repeat(1_000)}${'}'.repeat(1_000)}`)).toBeUndefined();
  expect(boundsFault(`"${'['.repeat(1_001)}`)).toBeUndefined();
});

it.each([
  ['"a" b', 2],
  ['"" b', 1],
  ['"a\\"b" c', 5],
  ['"a\\\\" b"', 4],
  ['"a\\\\\\"b" c', 7],
  ['"a\\"', 4],
  ['"a', 2],
])('a string of it ends where its quote does: %s', (text, end) => {
  expect(endOfString(text, 0)).toBe(end);
});
