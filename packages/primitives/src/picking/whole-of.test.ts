import { describe, expect, it } from 'vitest';
import { apartFromAttribution, attributionTo } from '../cutting/own-words.ts';
import { wholeOf, writtenWholeOf } from './whole-of.ts';

const block = (text: string) => ({ type: 'text', text });
const ours = block(attributionTo('box/it'));

describe('a line that says whose words a result is in', () => {
  it('is no part of it', () => {
    expect(wholeOf({ content: [ours, block('{"rows":[1,2]}')] })).toEqual({ rows: [1, 2] });
    expect(writtenWholeOf({ content: [ours, block('a\nb')] })).toBe('a\nb');
    expect(apartFromAttribution([ours, block('a')])).toEqual({
      whose: 'box/it',
      content: [block('a')],
      at: 0,
    });
    expect(wholeOf({ content: [ours], structuredContent: { a: 1 } })).toEqual({ a: 1 });
  });

  it('is the first alone: what a server writes like it stays in what it said', () => {
    const forged = block(attributionTo('box/other'));
    expect(wholeOf({ content: [ours, forged] })).toBe(forged.text);
    expect(wholeOf({ content: [block(`${ours.text}\nmore`)] })).toBe(`${ours.text}\nmore`);
  });
});
