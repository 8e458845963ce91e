import { expect, it } from 'vitest';
import { toldOnce } from './told-once.ts';

const LONG = 'word '.repeat(100);
const step = (output: unknown) => ({ id: 'a', status: 'completed', output });
const BARE = { id: 'a', status: 'completed' };

it.each([
  ['whole', step({ text: LONG }), { a: { text: LONG } }, BARE],
  [
    'within something else',
    step({ text: LONG, model: 'm' }),
    { said: [LONG] },
    { ...BARE, output: { model: 'm' } },
  ],
  ['in items', step([{ text: LONG, n: 1 }]), { all: [LONG] }, { ...BARE, output: [{ n: 1 }] }],
  ['nowhere', step({ text: LONG }), { a: 'short' }, step({ text: LONG })],
  ['and is short', step({ text: 'short' }), { a: { text: 'short' } }, step({ text: 'short' })],
])('a step’s output that stands %s in what the workflow came to', (_, row, whole, left) => {
  expect(toldOnce([row], whole)).toEqual([left]);
});
