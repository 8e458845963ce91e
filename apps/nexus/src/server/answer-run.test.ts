import type { Answer, AskedQuestion } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { answerRun, type GivenAnswer } from './answer-run.ts';

/** What comes to the record of an answer. */
async function given(answer: GivenAnswer) {
  const written: unknown[] = [];
  const runs = {
    answer: async (...it: [string, Answer, object?]) => {
      written.push(it);
      return {} as AskedQuestion; // nothing of it is read
    },
  };
  await answerRun(runs, 'run_1', answer);
  return written[0];
}

it('hands on what was written as text, for who knows the question', async () => {
  const fields = { count: '7', other: '1' };
  expect(await given({ action: 'accept', fields })).toEqual([
    'run_1',
    { action: 'accept', content: fields },
    { isWritten: true },
  ]);
});

it('says of which question, and what a yes is for, only as it was told', async () => {
  expect(await given({ action: 'decline', question: 'q', digest: 'abc' })).toEqual([
    'run_1',
    { action: 'decline' },
    { isWritten: true, question: 'q', digest: 'abc' },
  ]);
});
