import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseInTurns } from './parse-in-turns.ts';

afterEach(() => void vi.restoreAllMocks());

/** What comes of it: the text it would be again, which tells the order of names too, or what is wrong. */
async function outcome(parse: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await parse());
  } catch (error) {
    return String(error);
  }
}

const sizes = fc.integer({ min: 0, max: 30 });
const indents = fc.constantFrom('', ' ', '\t');

describe('a text that is parsed in turns', () => {
  it('comes to what it comes to at one go, however small the pieces', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), sizes, indents, async (value, pieceChars, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(await outcome(() => parseInTurns(text, pieceChars))).toBe(
          await outcome(() => JSON.parse(text)),
        );
      }),
    );
  });

  it('that is not JSON fails as it does at one go', async () => {
    const change = fc.record({
      at: fc.nat(),
      cut: fc.nat(2),
      put: fc.constantFrom('', ',', ']', '}', '[', '"', ' ', ':', '1'),
    });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), sizes, change, async (value, pieceChars, { at, cut, put }) => {
        const whole = JSON.stringify(value);
        const start = at % (whole.length + 1);
        const text = whole.slice(0, start) + put + whole.slice(start + cut);
        expect(await outcome(() => parseInTurns(text, pieceChars))).toBe(
          await outcome(() => JSON.parse(text)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    '{"__proto__":[1,2,3],"a":{"__proto__":{"b":[4,5]}}}',
    '{"a":[1,2,3],"b":1,"a":[4,5,6]}',
    '{"2":[1,2,3],"1":[1,2,3],"b":0}',
    '[[1,2,3],]',
    '[,[1,2,3]]',
    '{"a":[1,2,3],}',
    '{[1,2,3]:1}',
    '{"a" [1,2,3]}',
    '[[1,2,3}]',
    '{"a";{"b":[1,2,3]}}',
    '["a":[1,2,3]}',
    '{"a":[1,2,3]]',
    '[[1,2,3] 4]',
    '[1,2,3] [1,2,3]',
    '[       ]',
    '\u00a0[1,2,3]',
  ])('comes to the same: %s', async (text) => {
    for (let pieceChars = 0; pieceChars < 12; pieceChars += 1) {
      expect(await outcome(() => parseInTurns(text, pieceChars))).toBe(await outcome(() => JSON.parse(text)));
    }
    const value = await parseInTurns(text, 2).catch(() => ({}));
    expect(Object.getPrototypeOf(value)).toBe(Object.getPrototypeOf(Array.isArray(value) ? [] : {}));
  });

  it('leaves others their turn after each piece, and no piece is much longer than one may be', async () => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}` }));
    const text = JSON.stringify({ id: 1, params: { rows, few: rows.slice(0, 3) } });
    const pieceChars = 10_000;
    const parse = vi.spyOn(JSON, 'parse');
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const value = await parseInTurns(text, pieceChars);
    clearImmediate(counting);
    const longest = Math.max(...parse.mock.calls.map(([piece]) => piece.length));
    parse.mockRestore();
    expect(value).toEqual(JSON.parse(text));
    expect(longest).toBeLessThan(pieceChars + 100);
    expect(turns).toBeGreaterThan((2 * text.length) / (pieceChars + 100));
  });

  it('takes no longer for being nested deep', async () => {
    const text = `${'['.repeat(900)}${'"x",'.repeat(50_000)}1${']'.repeat(900)}`;
    const looked = vi.spyOn(String.prototype, 'charCodeAt');
    await parseInTurns(text, 1_000);
    const looks = looked.mock.calls.length;
    looked.mockRestore();
    expect(looks).toBeLessThan(8 * text.length);
  });
});
