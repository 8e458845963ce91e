import type { WorkerOutcome } from '@nexus/plugin-sdk';
import { afterEach, expect, it } from 'vitest';
import { createWorkers, type RunningWorkers } from './create-workers.ts';

interface Task {
  readonly do: string;
  readonly value?: unknown;
}

const module = new URL('../../test/fixtures/obedient.ts', import.meta.url);
const never = new AbortController().signal;
const patiently = { signal: never, timeLimitMs: 60_000 };
const briefly = { signal: never, timeLimitMs: 50 };

let workers: RunningWorkers | undefined;

function pool(options: { threads?: number; maxHeapMb?: number; idleMs?: number } = {}) {
  const { idleMs, ...rest } = options;
  workers = createWorkers(idleMs === undefined ? {} : { idleMs });
  return workers.pool<Task, unknown>({ module, ...rest });
}

/** The answer of a task that went well. */
function answerOf(outcome: WorkerOutcome<unknown>) {
  if (outcome.fault) throw new Error(outcome.reason);
  return outcome.answer as { threadId: number };
}

afterEach(() => workers?.close());

it('answers each task with its own answer, more tasks than threads', async () => {
  const threads = pool({ threads: 2 });
  const values = Array.from({ length: 50 }, (_, at) => at);
  const outcomes = await Promise.all(values.map((value) => threads.run({ do: 'answer', value }, patiently)));
  expect(outcomes).toMatchObject(values.map((value) => ({ answer: { value } })));
  expect(new Set(outcomes.map((outcome) => answerOf(outcome).threadId)).size).toBe(2);
});

it('keeps to one thread as long as one is enough', async () => {
  const threads = pool();
  const ids = new Set<unknown>();
  for (let at = 0; at < 5; at += 1) {
    ids.add(answerOf(await threads.run({ do: 'answer' }, patiently)).threadId);
  }
  expect(ids.size).toBe(1);
});

it.each(['loop', 'loop in WebAssembly'])(
  'ends a %s at its time limit, and answers the next task',
  async (what) => {
    const threads = pool({ threads: 1 });
    const [first, second] = await Promise.all([
      threads.run({ do: what }, briefly),
      threads.run({ do: 'answer', value: 2 }, patiently),
    ]);
    expect(first).toEqual({ fault: 'overran', reason: 'took longer than 50 ms' });
    expect(second).toMatchObject({ answer: { value: 2 } });
  },
);

it.each([
  ['throw', 'failed: memory access out of bounds'],
  ['exit', 'failed: it was ended'],
  ['hoard', 'needs more memory than there is for one task'],
  ['answer what can’t be copied', 'failed: what it threw is no error'],
])('tells of a task that traps by “%s”, and answers the next one in a new thread', async (what, reason) => {
  const threads = pool({ threads: 1, maxHeapMb: 32 });
  const before = answerOf(await threads.run({ do: 'answer' }, patiently));
  expect(await threads.run({ do: what }, patiently)).toEqual({ fault: 'trapped', reason });
  const after = answerOf(await threads.run({ do: 'answer' }, patiently));
  expect(after.threadId).not.toBe(before.threadId);
});

it('replaces a thread that dies between two tasks', async () => {
  const threads = pool({ threads: 1 });
  for (let at = 0; at < 3; at += 1) {
    // The second task may still meet the thread that is about to die, and then says so.
    await threads.run({ do: 'throw later' }, patiently);
  }
  let outcome = await threads.run({ do: 'answer', value: 1 }, patiently);
  while (outcome.fault) outcome = await threads.run({ do: 'answer', value: 1 }, patiently);
  expect(outcome).toMatchObject({ answer: { value: 1 } });
});

it('gives up a task whose caller does: one that runs, and one that waits', async () => {
  const threads = pool({ threads: 1 });
  const callers = new AbortController();
  const abortable = { signal: callers.signal, timeLimitMs: 60_000 };
  await threads.run({ do: 'answer' }, patiently);
  const given = [threads.run({ do: 'loop' }, abortable), threads.run({ do: 'loop' }, abortable)];
  const settled = Promise.allSettled(given);
  callers.abort(new Error('nobody waits any more'));
  for (const { status } of await settled) expect(status).toBe('rejected');
  expect(await threads.run({ do: 'answer', value: 3 }, patiently)).toMatchObject({ answer: { value: 3 } });
  await expect(threads.run({ do: 'answer' }, abortable)).rejects.toThrow('nobody waits any more');
});

it('ends whatever runs when it is closed, and takes no more', async () => {
  const threads = pool({ threads: 1 });
  const running = threads.run({ do: 'loop in WebAssembly' }, patiently);
  const waiting = threads.run({ do: 'answer' }, patiently);
  const failed = expect(waiting).rejects.toThrow('closed');
  await workers?.close();
  await failed;
  await Promise.allSettled([running]);
  await expect(threads.run({ do: 'answer' }, patiently)).rejects.toThrow('closed');
});

it('starts another thread after one was idle for long', async () => {
  const threads = pool({ idleMs: 1 });
  const next = async () => answerOf(await threads.run({ do: 'answer' }, patiently));
  const first = await next();
  // Each look keeps it from being idle, so the pause grows until it ends.
  for (let pauseMs = 1; (await next()).threadId === first.threadId; pauseMs *= 2) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
});

it('shows threads no environment, and keeps what they print from stdout', async () => {
  const threads = pool();
  expect(await threads.run({ do: 'environment' }, patiently)).toEqual({ answer: [] });
  for (let at = 0; at < 3; at += 1) {
    expect(await threads.run({ do: 'print' }, patiently)).toEqual({ answer: 'printed' });
  }
});

it('fails with the reason where a module does not load', async () => {
  workers = createWorkers();
  const broken = workers.pool({ module: new URL('../../test/fixtures/broken.ts', import.meta.url) });
  await expect(broken.run({}, patiently)).rejects.toThrow('this module does not load');
});
