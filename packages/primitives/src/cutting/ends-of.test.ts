import { describe, expect, it } from 'vitest';
import { jsonBlocks } from './json-blocks.ts';
import { endsOf } from './shrink-json.ts';

describe('the ends of a text', () => {
  const ends = (text: string, keep: number) =>
    endsOf(text, keep, { uri: 'nexus://x', blocks: jsonBlocks(text) });
  const [xs, ys] = ['x'.repeat(1_000), 'y'.repeat(1_000)];

  it('are whole lines, as many as fit, and what is between them is counted', () => {
    const text = Array.from({ length: 100 }, (_, at) => `line ${at + 100}`).join('\n');
    for (let keep = 100; keep < 120; keep += 1) {
      const { head, tail, left, also } = ends(text, keep);
      expect([text.startsWith(`${head}\n`), text.endsWith(`\n${tail}`)]).toEqual([true, true]);
      for (const each of [head, tail]) {
        expect(each.length).toBeLessThanOrEqual(keep / 2 + 1);
        expect(each.length).toBeGreaterThan(keep / 2 - 12);
      }
      // The line break before the cut stands before the note of it.
      expect([left, also]).toEqual([text.length - head.length - 1 - tail.length, '']);
    }
  });

  it('are no shorter than by two hundred characters for that, and never nothing', () => {
    expect(ends(`${xs.slice(0, 101)}\n${xs}`, 600).head).toBe(xs.slice(0, 101));
    expect(ends(`${xs.slice(0, 100)}\n${xs}`, 600).head).toBe(`${xs.slice(0, 100)}\n${xs.slice(0, 199)}`);
    expect(ends(`${xs}\n${ys.slice(0, 100)}`, 600).tail).toBe(ys.slice(0, 100));
    expect(ends(`${xs}\n${ys.slice(0, 99)}`, 600).tail).toBe(`${xs.slice(0, 200)}\n${ys.slice(0, 99)}`);
    expect(ends(`\n${xs}`, 100).head).toBe(`\n${xs.slice(0, 49)}`);
    expect(ends(`${xs}\n`, 100).tail).toBe(`${xs.slice(0, 49)}\n`);
  });

  it('are cut between characters, each within its half', () => {
    expect(ends('😀'.repeat(500), 302)).toMatchObject({ head: '😀'.repeat(75), tail: '😀'.repeat(75) });
  });

  const rows = Array.from({ length: 200 }, (_, id) => ({ id, name: `row ${id}` }));
  const said = `${'so it is, '.repeat(10)}\n`;
  const rowsIn = (head: string) => (JSON.parse(head.slice(said.length)) as typeof rows).length;

  it('have the first of JSON that both fall into, with all the room', () => {
    const { head, tail, left, also } = ends(`${said}${JSON.stringify(rows)}\n${said}`, 800);
    expect(head.startsWith(said)).toBe(true);
    expect(tail).toBe(said);
    expect(also).toBe(`; it has here of its items ${rowsIn(head)} of 200`);
    expect(head.length + tail.length).toBeLessThanOrEqual(800);
    expect(head.length + tail.length).toBeGreaterThan(750);
    expect(left).toBe(2 * said.length + 1 + JSON.stringify(rows).length - head.length - tail.length);
  });

  it('have the first of JSON that the one falls into, and what comes after that which the other does', () => {
    const { head, tail } = ends(`${said}${JSON.stringify(rows)}\n${JSON.stringify(rows)}\n${said}`, 800);
    expect(rowsIn(head)).toBeGreaterThan(5);
    expect(head.length).toBeLessThanOrEqual(400);
    expect(tail).toBe(said);
  });

  it('leave JSON as it is where they do not fall into it, and begin none', () => {
    const few = JSON.stringify(rows.slice(0, 2), null, 2);
    const around = `${few}\n${said.repeat(20)}${few}`;
    const { head, tail } = ends(around, 600);
    expect([head.startsWith(`${few}\n`), tail.endsWith(`\n${few}`)]).toEqual([true, true]);
    const label = 'a'.repeat(150);
    expect(ends(`${label}${JSON.stringify(rows)}`, 300).head).toBe(label);
  });

  it('say nothing of JSON that has lost no item, and little of many lists', () => {
    expect(ends(JSON.stringify({ text: xs }), 600)).toMatchObject({ tail: '', also: '' });
    const lists = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`a list of numbers by name ${at}`, rows.map(({ id }) => id)]),
    );
    expect(ends(JSON.stringify(lists), 1_000).also).toMatch(/^; it has here of .{50,250} and \d more fewer$/);
  });
});
