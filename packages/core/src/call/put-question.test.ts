import type { Answer, AskedQuestion } from '@nexus/plugin-sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDeadlines } from '../timeouts/deadline.ts';
import type { ClientRequests } from './client-requests.ts';
import { putQuestion, waitOutside } from './put-question.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const question = { runId: 'run_1', name: 'q', message: 'Go?' } as AskedQuestion; // all that is passed on
const open = new AbortController().signal;

function deadlineOf(budgetMs: number) {
  const deadlines = createDeadlines(new AbortController().signal);
  return deadlines.start({ toolName: 't', budgetMs, caller: new AbortController().signal });
}

function client(answer: (signal: AbortSignal) => Promise<Answer | undefined>): ClientRequests {
  return { answer: (_, signal) => answer(signal) } as ClientRequests; // nothing else is asked
}

const silent = client(
  (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
);

it('takes the answer of the person at the client', async () => {
  const ask = client(async () => ({ action: 'decline' }));
  expect(await putQuestion({ ask, deadline: deadlineOf(60_000) }, question, open)).toEqual({
    action: 'decline',
  });
});

it.each([
  ['it can’t be asked', undefined],
  ['it fails', client(() => Promise.reject(new Error('no such method')))],
  ['its person closes the dialogue', client(async () => undefined)],
])('leaves a question open for a client where %s', async (_, ask) => {
  expect(await putQuestion({ ask, deadline: deadlineOf(60_000) }, question, open)).toBeUndefined();
});

it('closes the dialogue in time for the call to answer, and after a while anyway', async () => {
  for (const [budgetMs, lastsMs] of [
    [60_000, 55_000],
    [3_600_000, 600_000],
  ] as const) {
    const over = vi.fn();
    const put = putQuestion({ ask: silent, deadline: deadlineOf(budgetMs) }, question, open).then(over);
    await vi.advanceTimersByTimeAsync(lastsMs - 1);
    expect(over).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await put;
    expect(over).toHaveBeenCalledWith(undefined);
  }
  expect(await putQuestion({ ask: silent, deadline: deadlineOf(4_000) }, question, open)).toBeUndefined();
});

it('closes the dialogue once the question is answered elsewhere', async () => {
  const elsewhere = new AbortController();
  const put = putQuestion({ ask: silent, deadline: deadlineOf(60_000) }, question, elsewhere.signal);
  elsewhere.abort();
  expect(await put).toBeUndefined();
});

it('of a call that nobody waits by stops its clock for as long as the question is open', async () => {
  const deadline = deadlineOf(1_000);
  const answered = new AbortController();
  const waiting = waitOutside(deadline, answered.signal);
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(deadline.end.aborted).toBe(false);
  answered.abort();
  await waiting;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(deadline.reason).toMatchObject({ code: 'NEXUS_TIMEOUT' });
});
