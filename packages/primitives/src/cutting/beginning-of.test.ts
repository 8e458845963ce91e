import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from '../../../../vitest.characters.ts';
import { partOf } from '../picking/part-of.ts';
import { beginningOf } from './beginning-of.ts';
import { cutJson } from './cut-json.ts';
import { cutText } from './cut-text.ts';
import { shrinkJson } from './shrink-json.ts';

/** Of a character that stands as two. */
const HALF = /\p{Surrogate}/u;

const uri = 'nexus://x';

it('is whole lines within its room, and says where the text goes on', () => {
  const line = fc.string({ maxLength: 80, unit: fc.constantFrom('a', '"', '😀', ' ', '\u0001', '\ud83d') });
  const text = fc.array(line, { maxLength: 40 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, fc.nat(2_000), fc.boolean(), (whole, room, isSaidTwice) => {
      const { text: begun, lines } = beginningOf(whole, { room, isSaidTwice, uri });
      expect(whole.startsWith(begun)).toBe(true);
      expect(begun.length + (isSaidTwice ? JSON.stringify(begun).length : 0)).toBeLessThanOrEqual(room + 2);
      if (lines === undefined) return;
      const shown = whole.split('\n').slice(0, lines).join('\n');
      expect(begun).toBe(shown);
      const rest = partOf(whole, { paths: [], offset: lines });
      if (shown.length < whole.length) expect(rest).toHaveProperty('value', whole.slice(shown.length + 1));
    }),
  );
});

it('names no line to go on from behind one that reading on counts as several', () => {
  const whole = `${'x'.repeat(12_000)}\n${'y\n'.repeat(40_000)}`;
  expect(beginningOf(whole, { room: 44_000, uri })).not.toHaveProperty('lines');
  expect(beginningOf(whole.slice(12_001), { room: 44_000, uri })).toMatchObject({ lines: 22_000 });
});

it('is of a first line that is too long its beginning, between characters', () => {
  const { text, lines } = beginningOf('😀'.repeat(5_000), { room: 1_001, isSaidTwice: true, uri });
  expect(text).toMatch(/^(?:😀){100,}$/u);
  expect(lines).toBeUndefined();
});

it('ends for JSON and other text however little room there is, and so does every other cut', () => {
  const json = fc.tuple(fc.string(), fc.jsonValue({ maxDepth: 4 }), fc.string());
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 200 }),
    fc.string({ unit: fc.constantFrom('{', '[', ']', '}', '"', '\\', '\n', '1', '\ude00'), maxLength: 60 }),
    json.map(([before, value, after]) => `${before}\n${JSON.stringify(value)}\n${after}`),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: -10, max: 300 }), fc.boolean(), (whole, room, isSaidTwice) => {
      const { text: begun } = beginningOf(whole, { room, isSaidTwice, uri });
      if (!HALF.test(whole)) expect(begun).not.toMatch(HALF);
      cutText(whole, room, uri);
      cutJson(whole, room, uri);
      shrinkJson({ whole, list: [whole, whole] }, room, uri);
    }),
  );
});
