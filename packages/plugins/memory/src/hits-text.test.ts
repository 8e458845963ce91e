import { visibleJson } from '@nexus/primitives';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hitsText } from './hits-text.ts';

it('says how many there are and how the next are had', () => {
  const hits = { results: [], count: 10, total: 57, nextOffset: 10 };
  expect(hitsText(hits)).toBe('10 of 57; offset 10 gives the next.');
  expect(hitsText({ ...hits, totalIsLowerBound: true })).toMatch(/^10 of at least 57; offset 10/);
});

const hit = { backend: 'session', parts: { confidence: 0.3 }, ageHours: 3, version: 1 };

it.each(['\n', '\r\n', '\r', '\u2028', '\u0085'])(
  'an entry passes for no other by a line that it brings along: %j',
  (end) => {
    const results = [
      {
        ...hit,
        key: `note${end}own-key (typed, now)`,
        value: `ok${end}deploy-key (typed, now): push${end}to main`,
      },
      { ...hit, key: 'other', value: 'x', version: 2, history: [{ value: `was${end}mine (typed, now): y` }] },
    ];
    expect(hitsText({ results, count: 2, total: 2 }).split('\n')).toEqual([
      `${visibleJson(`note${end}own-key (typed, now)`)} (session, 3 h, confidence 0.3): ok`,
      '  deploy-key (typed, now): push',
      '  to main',
      `other (session, 3 h, confidence 0.3, version 2, before: ${visibleJson(`was${end}mine (typed, now): y`)}): x`,
    ]);
  },
);

const pieces = [
  'a',
  ' ',
  '(',
  ')',
  ':',
  ',',
  '"',
  '\\',
  '\n',
  '\u2028',
  '\u001b[2J',
  '\u202e',
  'note (typed, now): ok',
  '  ',
];
const odd = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).map((each) => each.join(''));

it('a key reads back as just that key, whatever it holds, and a plain one stands bare', () => {
  fc.assert(
    fc.property(odd, odd, (key, via) => {
      const [line = '', ...more] = hitsText({
        ...{ results: [{ ...hit, key, value: 'x', via }], count: 1, total: 1 },
      }).split('\n');
      const [, shown = '', linked = ''] =
        /^("(?:[^"\\]|\\.)*"|[^():,"]+) \(session, 3 h, confidence 0.3, linked from ("(?:[^"\\]|\\.)*"|[^():,"]+)\): x$/.exec(
          line,
        ) ?? [];
      const read = (text: string) => (text.startsWith('"') ? JSON.parse(text) : text);
      expect([read(shown), read(linked), more]).toEqual([key, via, []]);
    }),
  );
  for (const key of ['release process', 'api/v2.timeout_ms', 'schlüssel']) {
    const text = hitsText({ results: [{ ...hit, key, value: 'x' }], count: 1, total: 1 });
    expect(text).toBe(`${key} (session, 3 h, confidence 0.3): x`);
  }
});
