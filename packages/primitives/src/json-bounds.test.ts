import { describe, expect, it } from 'vitest';
import { boundsFault } from './json-bounds.ts';

const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"${at}":1`).join(',')}}`;

const blocks = (count: number) => JSON.stringify({ content: Array(count).fill({ type: 'text', text: 'x' }) });

describe('a JSON text', () => {
  it.each([
    ['one that is flat and small', '{"a":[1,2]}'],
    ['one as deep as may be', '['.repeat(1_000) + ']'.repeat(1_000)],
    ['one with as many members as may be', members(50_000)],
    ['one with as many values as may be', `[${'1,'.repeat(999_998)}1]`],
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
