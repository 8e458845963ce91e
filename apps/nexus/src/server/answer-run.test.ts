import type { Answer, AskedQuestion, RunDetail } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { answerRun, type GivenAnswer } from './answer-run.ts';

const asks = (runId: string, name: string, also: Partial<AskedQuestion> = {}): AskedQuestion => ({
  runId,
  name,
  message: 'What?',
  status: 'open',
  askedAt: '2026-01-01T00:00:00.000Z',
  ...also,
});

/** What comes to the record of an answer, for a run whose family asks these. */
async function given(open: readonly AskedQuestion[], answer: GivenAnswer) {
  const written: unknown[] = [];
  const runs = {
    get: async () => ({ asks: open }) as RunDetail, // all that is read of it
    answer: async (...it: [string, Answer, object?]) => {
      written.push(it);
      return asks(it[0], 'answered');
    },
  };
  await answerRun(runs, 'run_1', answer);
  return written[0];
}

const requestedSchema = {
  type: 'object',
  properties: { branch: { type: 'string' }, count: { type: 'integer' }, isDraft: { type: 'boolean' } },
};

it('reads what was written by the type of each field', async () => {
  const fields = { branch: '007', count: '7', isDraft: 'no', other: '1' };
  expect(await given([asks('run_1', 'q', { requestedSchema })], { action: 'accept', fields })).toEqual([
    'run_1',
    { action: 'accept', content: { branch: '007', count: 7, isDraft: false, other: '1' } },
    { question: 'q' },
  ]);
});

it('finds the question of a child, and does not say what a yes is for by itself', async () => {
  const open = [asks('run_2', 'q', { digest: 'abc' })];
  expect(await given(open, { action: 'accept' })).toEqual(['run_2', { action: 'accept' }, { question: 'q' }]);
  expect(await given(open, { action: 'accept', digest: 'abc' })).toEqual([
    'run_2',
    { action: 'accept' },
    { question: 'q', digest: 'abc' },
  ]);
});

it('takes the run’s own before those of its children, and asks which where that does not tell', async () => {
  const open = [asks('run_1', 'q'), asks('run_2', 'q'), asks('run_2', 'r')];
  expect(await given(open, { action: 'decline' })).toMatchObject(['run_1', {}, { question: 'q' }]);
  expect(await given(open, { action: 'decline', question: 'r' })).toMatchObject(['run_2', {}, {}]);
  const theirs = [asks('run_2', 'q'), asks('run_3', 'q')];
  await expect(given(theirs, { action: 'decline' })).rejects.toMatchObject({ code: 'NEXUS_CONFLICT' });
});

it('knows a question by the step that asks it, where no other goes by that', async () => {
  const open = [asks('run_1', 'go#1/asks'), asks('run_1', 'on#1/asks')];
  const answer = { action: 'accept', question: 'go' } as const;
  expect(await given(open, answer)).toMatchObject(['run_1', {}, { question: 'go#1/asks' }]);
  await expect(given([...open, asks('run_1', 'go#2/asks')], answer)).rejects.toMatchObject({
    code: 'NEXUS_CONFLICT',
  });
});

it('answers ahead what is not asked yet', async () => {
  expect(await given([], { action: 'accept', question: 'later' })).toEqual([
    'run_1',
    { action: 'accept' },
    { question: 'later' },
  ]);
});
