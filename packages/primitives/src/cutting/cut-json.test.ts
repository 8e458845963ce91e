import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutJson } from './cut-json.ts';

const NOTE = /^\[… \d+ of \d+ characters left out; the whole text is the resource nexus:\/\/x(.*) …\]$/;

/** What a cut says first, and the JSON after it. */
function cut(text: string, keepChars: number) {
  const all = cutJson(text, keepChars, 'nexus://x') ?? '';
  const [note = '', ...rest] = all.split('\n');
  return { said: NOTE.exec(note)?.[1], rest: rest.join('\n'), total: all.length };
}

const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `row ${id}` }));

describe('JSON that is too long', () => {
  it('keeps its members and the first items of its lists, and says how many of how many', () => {
    const whole = { total: 5_000, rows, next: 'page 2' };
    const { said, rest } = cut(JSON.stringify(whole, null, 2), 2_000);
    const shown = JSON.parse(rest) as typeof whole;
    expect(shown).toEqual({ ...whole, rows: rows.slice(0, shown.rows.length) });
    expect(shown.rows.length).toBeGreaterThan(10);
    expect(said).toBe(`; it has here of rows ${shown.rows.length} of 5000`);
  });

  it('is never broken nor cut in silence, at whatever size, indented or not', () => {
    const json = fc.oneof(
      fc.array(fc.jsonValue({ maxDepth: 5 })),
      fc.dictionary(fc.string(), fc.jsonValue()),
    );
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2), fc.nat(2_000), (value, indent, keepChars) => {
        const { said, rest, total } = cut(JSON.stringify(value, null, indent), keepChars);
        expect(said).toBeDefined();
        const shown = JSON.stringify(JSON.parse(rest));
        const isWhole = shown === JSON.stringify(value);
        expect(isWhole || /it has here/.test(said ?? '') || /left out|more characters/.test(shown)).toBe(
          true,
        );
        if (keepChars >= 400) expect(total).toBeLessThanOrEqual(keepChars);
      }),
    );
  });

  it('is shown without its white space where that is enough', () => {
    const whole = { a: Array.from({ length: 100 }, (_, at) => at) };
    const { said, rest } = cut(JSON.stringify(whole, null, 8), 600);
    expect(JSON.parse(rest)).toEqual(whole);
    expect(said).toBe('; here it is all but its white space');
  });

  it('has each number by all of its digits, however little room there is', () => {
    for (const room of [250, 500]) {
      const { said, rest } = cut(`[12345678901234567890,1.10,1e3,"${'x'.repeat(500)}"]`, room);
      expect(said).not.toContain('rounded');
      expect(rest).toMatch(
        room === 250 ? /^\[12345678901234567890[,\]]/ : /^\[12345678901234567890,1\.10,1e3[,\]]/,
      );
      expect(rest).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-4/);
    }
  });

  it('is cut between its lines where each is JSON, and a first line that is too long by its shape', () => {
    const lines = rows.map((row) => JSON.stringify(row)).join('\n');
    const { said, rest } = cut(`${lines}\n`, 1_000);
    const shown = rest.split('\n').map((line) => JSON.parse(line));
    expect(shown).toEqual(rows.slice(0, shown.length));
    expect(said).toBe(`; it has here ${shown.length} of 5000 lines`);
    expect(JSON.parse(cut(`${JSON.stringify(rows)}\n${lines}`, 1_000).rest).length).toBeGreaterThan(5);
  });

  it('is shown by its beginning where it is more than anyone would read whole, and says how much there is', () => {
    const items = (count: number) => Array.from({ length: count }, (_, id) => ({ id, tags: ['a', 'b'] }));
    const { said, rest } = cut(JSON.stringify({ items: items(200_000), total: 200_000 }), 2_000);
    const shown = JSON.parse(rest) as { items: object[]; total: number };
    expect(shown).toEqual({ items: items(shown.items.length), total: 200_000 });
    expect(shown.items.length).toBeGreaterThan(30);
    expect(said).toBe(`; it has here of items ${shown.items.length} of 200000`);
    const list = cut(JSON.stringify(items(200_000)), 2_000);
    expect(list.said).toBe(`; it has here of its items ${JSON.parse(list.rest).length} of 200000`);
    expect(cut(`${'[1,'.repeat(10_000)}1${']'.repeat(10_000)}`, 2_000).rest).toMatch(/^(?:\[1,)+/);
  });

  it('shows nothing of what is nested deeper than anyone reads, or as large and ends too early', () => {
    for (const [text, fault] of [
      [`${'['.repeat(10_000)}1`, 'is nested more than 1000 levels deep'],
      [`[${'[1],'.repeat(200_000)}`, 'holds more than 150000 objects and arrays'],
    ] as const) {
      expect(cut(text, 2_000)).toMatchObject({ said: `; it ${fault}, so none of it is shown`, rest: '' });
    }
  });

  it.each([
    ['a log', '[INFO'],
    ['a list of things to do', '- [ ] [ it'],
    ['a list of such', '[ ] it ['],
    ['footnotes', '[1] it ['],
    ['rows of TeX', '{a {b}'],
  ])('is no text that only has as many brackets: %s', (_, line) => {
    expect(cutJson(`${line} started\n`.repeat(2_000), 2_000, 'nexus://x')).toBeUndefined();
  });

  it('is cut between its lines though they are more than anyone would read whole', () => {
    const { said, rest } = cut('[1]\n'.repeat(200_000), 1_000);
    expect(rest).toMatch(/^(?:\[1\]\n)+\[1\]$/);
    expect(said).toBe(`; it has here ${rest.split('\n').length} of 200000 lines`);
    const large = `[${'[],'.repeat(200_000)}1]\n`;
    expect(cutJson(large.repeat(2), 1_000, 'nexus://x')).toBeUndefined();
  });

  it('has no name in it that is as long as a text', () => {
    const { rest } = cut(JSON.stringify({ ['k'.repeat(100_000)]: 1, b: 'x'.repeat(1_000) }), 800);
    expect(rest.length).toBeLessThan(1_000);
    expect(JSON.parse(rest)).toHaveProperty('b');
  });

  it.each(['plain text', '[INFO] started', '{ not json', '[1] a footnote\n[2] another'])(
    'is no text that only begins so: %s',
    (text) => {
      expect(cutJson(text, 5, 'nexus://x')).toBeUndefined();
    },
  );
});
