import { expect, it } from 'vitest';
import type { Section } from './evidence.ts';
import type { Work } from './judge.ts';
import { withinRoom } from './judge-together.ts';

const section = (at: number, chars: number): Section => ({
  file: `src/${at}.ts`,
  lines: { from: 1, to: 51 },
  text: 'x'.repeat(chars),
});
const work = (sections: readonly Section[], leftOut?: readonly string[]): Work => ({
  output: 'It is so.',
  ground: { shown: [], against: [], sections, ...(leftOut && { leftOut }) },
});

it('what a judge of several is shown of each fits in its share, and what does not fit is said', () => {
  const ten = Array.from({ length: 10 }, (_, at) => section(at, 4_000));
  expect(withinRoom(work(ten.slice(0, 3)), 4)).toEqual(work(ten.slice(0, 3)));
  expect(withinRoom(work(ten), 2).ground.sections).toHaveLength(7);
  expect(withinRoom(work(ten, ['Two places were not looked up.']), 4).ground).toMatchObject({
    sections: ten.slice(0, 3),
    leftOut: [
      'Two places were not looked up.',
      'Of 10 parts of files around the places, 7 were not shown to a judge of several requirements.',
    ],
  });
});
