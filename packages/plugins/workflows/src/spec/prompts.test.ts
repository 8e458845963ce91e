import { expect, it } from 'vitest';
import type { Work } from './judge.ts';
import { jointPrompt, judgePrompt, wordsBeside } from './prompts.ts';
import type { Requirement } from './requirements.ts';

const requirement = (text: string, quote: string) => ({ id: 'R-1', text, quote }) as Requirement; // what is read of it
const work: Work = { output: 'It is so.', ground: { shown: [], against: [], sections: [] } };
const timesIn = (text: string, words: string) => text.split(words).length - 1;

it('a requirement in the very words of the specification is told once, and in other words with those', () => {
  const same = requirement('It adds.', 'It adds. ');
  const other = requirement('It adds two numbers.', 'It adds.');
  expect(wordsBeside(same)).toEqual({});
  for (const prompt of [
    (each: Requirement) => judgePrompt(each, work),
    (each: Requirement) => jointPrompt([{ requirement: each, work }]),
  ]) {
    expect(timesIn(prompt(same), 'It adds.')).toBe(1);
    expect(prompt(other)).toMatch(
      /the requirement[^\n]*\n```\nIt adds two numbers\.\n[\s\S]*the specification[^\n]*\n```\nIt adds\.\n/,
    );
  }
});
