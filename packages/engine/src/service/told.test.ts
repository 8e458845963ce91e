import type { JobRun } from '@nexus/core';
import {
  type AnyRunKind,
  type RunContext,
  type RunOfCall,
  type ToolCallResult,
  ToolError,
  type WaitForRun,
} from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import {
  counterOf,
  databasesByTurns,
  type EngineUnderTest,
  ended,
  kindOf,
  type Place,
  startEngine,
} from '../../test/engine-under-test.ts';

const session = { id: 's' };
const UNKNOWN = { status: 'failed', error: { code: 'NEXUS_OUTCOME_UNKNOWN' } };

const untilEnded = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** A run that fails the first time, and is held in what must not be done twice the second. */
function paying(data: Place) {
  const count = counterOf();
  const kind = kindOf(async (_: unknown, run: RunContext) => {
    await run.step('fails', () => {
      if (count.add('fails') === 1) throw new Error('broken');
      return 'mended';
    });
    await run.step(
      'pays',
      ({ signal }) => {
        const times = count.add('pays');
        return times === 1 ? untilEnded(signal) : times;
      },
      { isRepeatable: false },
    );
    return 'paid';
  });
  const start = (): EngineUnderTest => {
    const process: EngineUnderTest = startEngine(data, [kind], {
      rerun: ({ arguments: { runId } }, live) => takingUp(process, String(runId), live),
    });
    return process;
  };
  return { count, kind, start };
}

/** As `resume_run` does it. */
async function takingUp(
  process: EngineUnderTest,
  runId: string,
  live: JobRun,
  run?: RunOfCall,
): Promise<ToolCallResult> {
  const { idempotencyKey: key } = live;
  const { id } = await process.runs.takeUp(runId, { caller: { session, run }, key });
  return following(process, id, live, run);
}

/** As a tool that is a run does it. */
async function beginning(process: EngineUnderTest, kind: AnyRunKind, live: JobRun): Promise<ToolCallResult> {
  const { idempotencyKey: key } = live;
  const { id } = await process.runs.start(kind, null, { caller: { session }, key });
  return following(process, id, live);
}

async function following(
  process: EngineUnderTest,
  id: string,
  live: JobRun,
  run?: RunOfCall,
): Promise<ToolCallResult> {
  const { signal, idempotencyKey } = live;
  const { status, error } = await process.runs.wait(id, {
    signal,
    toldTo: { idempotencyKey, run, isForClient: false },
  });
  if (status === 'completed') return { content: [], structuredContent: {} };
  const envelope = { code: error?.code, message: error?.message, retryable: false };
  return { content: [], isError: true, _meta: { 'nexus/error': envelope } };
}

async function failedOnce(process: EngineUnderTest, kind: AnyRunKind): Promise<string> {
  const { id } = await process.runs.start(kind, null, { caller: { session } });
  expect(await ended(process.runs, id)).toMatchObject({ status: 'failed' });
  return id;
}

/** Until all runs have ended, without anybody who waits for one. */
async function allOver({ runs, engine }: EngineUnderTest): Promise<void> {
  await engine.adopt();
  const areAllOver = async () =>
    (await runs.list({ limit: 9 })).runs.every(({ status }) => status === 'failed');
  await expect.poll(areAllOver, { timeout: 10_000 }).toBe(true);
}

describe.each(databasesByTurns)('what nobody knows and nobody heard of, on $name', ({ place }) => {
  it('is told to whoever has the run go on again, and done for who does so after that', async () => {
    await using data = place();
    const { count, kind, start } = paying(data);
    const first = start();
    const id = await failedOnce(first, kind);
    const second = await first.runs.takeUp(id);
    await expect.poll(() => count.all).toEqual({ fails: 2, pays: 1 });
    await first.die();
    await using next = start();
    await allOver(next);
    // Looking for it, or ahead, is no telling of it.
    const ahead = await next.runs.planRerun(id, { goesOn: true });
    expect(ahead).toMatchObject({ toldFirst: second.id, unknown: ['pays'], repeated: [] });
    expect(await next.runs.planRerun(id, { from: 'fails' })).toMatchObject({ toldFirst: second.id });
    expect(await next.runs.get(second.id)).toMatchObject(UNKNOWN);
    for (const asked of [id, second.id]) {
      expect(await next.runs.takeUp(asked)).toMatchObject({ ...UNKNOWN, id: second.id });
    }
    await ended(next.runs, second.id);
    expect(count.all).toEqual({ fails: 2, pays: 1 });
    const plan = await next.runs.planRerun(id, { goesOn: true });
    expect(plan.repeated).toMatchObject([{ name: 'pays', again: ['pays'] }]);
    expect(plan).not.toHaveProperty('toldFirst');
    const third = await next.runs.takeUp(id);
    expect(third).toMatchObject({ rerunOf: second.id });
    expect(await ended(next.runs, third)).toMatchObject({ status: 'completed' });
    expect(count.all).toEqual({ fails: 2, pays: 2 });
    for (const of of [{}, { from: 'pays' }]) {
      const { repeated } = await next.runs.planRerun(third.id, of);
      expect(repeated.find(({ name }) => name === 'pays')).toMatchObject({ again: ['pays'] });
      expect(repeated.find(({ name }) => name === 'fails') ?? {}).not.toHaveProperty('again');
    }
  });

  it('is told before the run is done anew, too, and by the key of the call for good', async () => {
    await using data = place();
    const { count, kind, start } = paying(data);
    const first = start();
    const id = await failedOnce(first, kind);
    const second = await first.runs.rerun(id, { from: 'fails' });
    await expect.poll(() => count.all).toEqual({ fails: 2, pays: 1 });
    await first.die();
    await using next = start();
    await allOver(next);
    const { runs } = next;
    const anew = (key?: string) => runs.rerun(id, { from: 'fails', key, caller: { session } });
    expect(await anew()).toMatchObject({ ...UNKNOWN, id: second.id });
    expect(await ended(runs, await anew('k'))).toMatchObject({ ...UNKNOWN, id: second.id });
    expect(await anew('k')).toMatchObject({ id: second.id });
    expect(count.all).toEqual({ fails: 2, pays: 1 });
    expect(await ended(runs, await anew('another'))).toMatchObject({ status: 'completed' });
    expect(count.all).toEqual({ fails: 3, pays: 2 });
  });

  it('is told by who shows it, too', async () => {
    await using data = place();
    const { count, kind, start } = paying(data);
    const first = start();
    const id = await failedOnce(first, kind);
    const second = await first.runs.takeUp(id);
    await expect.poll(() => count.all).toEqual({ fails: 2, pays: 1 });
    await first.die();
    await using next = start();
    await allOver(next);
    const noted: unknown[] = [];
    const toldTo: WaitForRun['toldTo'] = { noteUnknown: (run) => void noted.push(run) };
    await next.runs.get(id, { toldTo });
    expect(noted).toEqual([]);
    const shown = await next.runs.get(second.id, { toldTo });
    expect(shown).toMatchObject(UNKNOWN);
    await next.runs.wait(second.id, { signal: new AbortController().signal, toldTo });
    // The call that it was handed to can't make less of it.
    const note = { id: second.id, title: shown.title, message: shown.error?.message };
    expect(noted).toEqual([note, note]);
    expect(await ended(next.runs, await next.runs.takeUp(id))).toMatchObject({ status: 'completed' });
  });

  it.each([
    [
      'a run',
      (process, id, toldTo) => process.runs.wait(id, { signal: new AbortController().signal, toldTo }),
    ],
    [
      'a job',
      (process, id, { afterAnswer }) =>
        process.engine.jobs.outcome(id, { signal: new AbortController().signal, afterAnswer }),
    ],
  ] satisfies readonly [
    string,
    (
      process: EngineUnderTest,
      id: string,
      toldTo: Pick<NonNullable<WaitForRun['toldTo']>, 'afterAnswer'>,
    ) => Promise<unknown>,
  ][])('is told once the client has the answer, and not by its being made: of %s', async (of, hand) => {
    await using data = place();
    const { count, kind, start } = paying(data);
    const first = start();
    const id = await failedOnce(first, kind);
    const asked =
      of === 'a run'
        ? (await first.runs.takeUp(id)).id
        : (
            await first.engine.jobs.start({
              ...{ tool: 'resume_run', arguments: { runId: id }, sessionId: 's', mayRunTwice: true },
              run: (live) => takingUp(first, id, live),
            })
          ).job.jobId;
    await expect.poll(() => count.all).toEqual({ fails: 2, pays: 1 });
    await first.die();
    const dies = start();
    await allOver(dies);
    let hasAnswer: (() => Promise<void>) | undefined;
    const afterAnswer = (work: () => Promise<void>) => {
      hasAnswer = work;
    };
    await hand(dies, asked, { afterAnswer });
    expect(hasAnswer).toBeDefined();
    // Its answer never left.
    await dies.die();
    await using next = start();
    expect(await next.runs.takeUp(id)).toMatchObject(UNKNOWN);
    await hand(next, asked, { afterAnswer });
    expect(await next.runs.takeUp(id)).toMatchObject(UNKNOWN);
    void hasAnswer?.();
    // Who has the answer may ask at once.
    const done = await next.runs.takeUp(id);
    expect(await ended(next.runs, done)).toMatchObject({ status: 'completed' });
    expect(count.all).toEqual({ fails: 2, pays: 2 });
  });

  it.each(['a client', 'a job whose server died'])(
    'is the end of what had taken it up, by %s',
    async (by) => {
      await using data = place();
      const { count, kind, start } = paying(data);
      const first = start();
      const id = await failedOnce(first, kind);
      const { job } = await first.engine.jobs.start({
        ...{ tool: 'resume_run', arguments: { runId: id }, sessionId: 's', mayRunTwice: true },
        run: (live) => takingUp(first, id, live),
      });
      await expect.poll(() => count.all).toEqual({ fails: 2, pays: 1 });
      await first.die();
      await using next = start();
      // Somebody else hears of it first: the job is about the same run all the same.
      if (by === 'a client') {
        const told = await next.runs.takeUp(id);
        expect(await ended(next.runs, told)).toMatchObject(UNKNOWN);
      }
      await next.engine.adopt();
      const { signal } = new AbortController();
      const outcome = await next.engine.jobs.outcome(job.jobId, { signal });
      expect(outcome._meta?.['nexus/error']).toMatchObject({ code: 'NEXUS_OUTCOME_UNKNOWN' });
      expect(count.all).toEqual({ fails: 2, pays: 1 });
      expect(await next.runs.list({ limit: 9 })).toMatchObject({ total: 2 });
      expect(await ended(next.runs, await next.runs.takeUp(id))).toMatchObject({ status: 'completed' });
    },
  );

  it.each([
    ['taken up', true],
    ['begun', false],
  ])(
    'is told once the end of the job is that has %s the run, and not by its taking the error',
    async (_, isTaken) => {
      await using data = place();
      const { count, kind, start } = paying(data);
      const by = (process: EngineUnderTest, runId: string) => (live: JobRun) =>
        isTaken ? takingUp(process, runId, live) : beginning(process, kind, live);
      const again = (runId: string) => {
        const process: EngineUnderTest = startEngine(data, [kind], {
          rerun: (_call, live) => by(process, runId)(live),
        });
        return process;
      };
      const first = start();
      const id = await failedOnce(first, kind);
      const { job } = await first.engine.jobs.start({
        ...{ tool: 'resume_run', arguments: {}, sessionId: 's', mayRunTwice: true },
        run: by(first, id),
      });
      await expect.poll(() => count.all).toMatchObject({ pays: 1 });
      await first.die();
      await using next = again(id);
      await allOver(next);
      await expect
        .poll(async () => (await next.runs.get(job.jobId)).status, { timeout: 10_000 })
        .toBe('failed');
      const [{ id: left = '' } = {}] = (await next.runs.list({ limit: 9 })).runs.filter(
        (run) => run.id !== id,
      );
      // Nobody has asked for the job.
      expect(await next.runs.takeUp(left)).toMatchObject({ ...UNKNOWN, id: left });
      expect(count.all).toMatchObject({ pays: 1 });
      const { signal } = new AbortController();
      const looked = (toldTo?: WaitForRun['toldTo']) =>
        next.engine.jobs.wait(job.jobId, { waitMs: 0, signal, toldTo });
      expect(await looked()).toMatchObject({ status: 'failed' });
      expect(await next.runs.takeUp(left)).toMatchObject({ ...UNKNOWN, id: left });
      expect(await looked({})).toMatchObject({ status: 'failed' });
      const done = await next.runs.takeUp(left);
      expect(done).toMatchObject({ rerunOf: left });
      expect(await ended(next.runs, done)).toMatchObject({ status: 'completed' });
      expect(count.all).toMatchObject({ pays: 2 });
    },
  );

  it('is told once the end of the run is whose step had taken it up, and not by its taking the error', async () => {
    await using data = place();
    const { count, kind, start } = paying(data);
    const first = start();
    const id = await failedOnce(first, kind);
    const second = await first.runs.takeUp(id);
    await expect.poll(() => count.all).toMatchObject({ pays: 1 });
    await first.die();
    const above = kindOf(
      (_: null, run: RunContext) =>
        run.step('resumes', async ({ signal, idempotencyKey }) => {
          const live = { signal, idempotencyKey, progress: () => {} };
          const { isError } = await takingUp(next, id, live, { id: run.id, step: 'resumes' });
          if (isError) throw new ToolError('NEXUS_OUTCOME_UNKNOWN', 'Nobody knows.');
        }),
      { name: 'test.above' },
    );
    await using next = startEngine(data, [kind, above]);
    await next.engine.adopt();
    const waiting = await next.runs.start(above, null, { caller: { session } });
    await expect.poll(async () => (await next.runs.get(waiting.id)).status).toBe('failed');
    expect(await next.runs.takeUp(second.id)).toMatchObject({ ...UNKNOWN, id: second.id });
    expect(await ended(next.runs, waiting)).toMatchObject(UNKNOWN);
    expect(await ended(next.runs, await next.runs.takeUp(second.id))).toMatchObject({ status: 'completed' });
    expect(count.all).toMatchObject({ pays: 2 });
  });

  it('is bound to a call by its key and the run that it names alone', async () => {
    await using data = place();
    const { kind, count, start } = paying(data);
    await using process = start();
    const id = await failedOnce(process, kind);
    count.add('pays');
    const caller = { session };
    const next = await process.runs.takeUp(id, { caller, key: 'k' });
    expect(await ended(process.runs, next)).toMatchObject({ status: 'completed' });
    expect(await process.runs.takeUp(id, { caller, key: 'k' })).toMatchObject({ id: next.id });
    expect(await process.runs.takeUp(next.id, { caller, key: 'k' })).toMatchObject({ id: next.id });
    await expect(process.runs.takeUp('run_none', { caller, key: 'k' })).rejects.toMatchObject({
      code: 'NEXUS_NOT_FOUND',
    });
  });
});
