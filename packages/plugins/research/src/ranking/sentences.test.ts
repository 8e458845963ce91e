import { expect, it } from 'vitest';
import { sentencesOf } from './sentences.ts';

it.each([
  ['They differ. One is fast.', ['They differ.', 'One is fast.']],
  ['As in Fig. 3 it falls. It rises.', ['As in Fig. 3 it falls.', 'It rises.']],
  [
    'She calls it “new. It is fast.” and goes on. We agree.',
    ['She calls it “new. It is fast.” and goes on.', 'We agree.'],
  ],
  ['He said "It works. It is fast." We agree.', ['He said "It works. It is fast."', 'We agree.']],
  ['He said "It works. It is fast." and left.', ['He said "It works. It is fast." and left.']],
  ['A line of 5" is drawn. It is long.', ['A line of 5" is drawn. It is long.']],
])('takes %s apart where a sentence ends, and not within what it quotes', (text, sentences) => {
  expect(sentencesOf(text).map(({ text: each }) => each)).toEqual(sentences);
});

it('goes on after a quotation that was never closed, and says where each sentence stands', () => {
  const text = `An inch is 1". ${'It goes on. '.repeat(100)}`;
  const found = sentencesOf(text);
  expect(found.length).toBeGreaterThan(40);
  for (const { text: each, start, end } of found) expect(text.slice(start, end)).toBe(each);
});
