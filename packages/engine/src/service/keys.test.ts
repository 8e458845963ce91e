import { type RunContext, ToolError } from '@nexus/plugin-sdk';
import { createStore } from '@nexus/store';
import { describe, expect, it } from 'vitest';
import { counterOf, databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { result, startServer, work } from '../../test/server-under-test.ts';
import { migrations } from '../record/migrations.ts';
import type { RunRow } from '../record/tables.ts';

const session = { id: 's' };
const kind = kindOf(async (input: unknown) => input);
const { signal } = new AbortController();

describe.each(databasesByTurns)('a key, on $name', ({ place }) => {
  it('is its user’s own, whatever characters users and keys are made of', async () => {
    await using data = place();
    await using process = startEngine(data, [kind]);
    const start = (key: string, user?: string) =>
      process.runs.start(kind, { of: 'all' }, { key, caller: { session, user } });
    const who = [['k'], ['k', 'alice'], ['k', 'bob'], ['k\nbob'], ['k\nbob', 'alice'], ['k', 'bob\nalice']];
    const ids = [];
    for (const [key = '', user] of who) ids.push((await start(key, user)).id);
    expect(new Set(ids).size).toBe(who.length);
    expect((await start('k', 'bob')).id).toBe(ids[2]);
  });

  it('stands for a request, where one is named: what is read of the world may be another by then', async () => {
    await using data = place();
    await using process = startEngine(data, [kind]);
    const { runs } = process;
    const keyed = { key: 'k', request: { task: 'x' } };
    expect(await runs.startedUnder(kind, keyed)).toBeUndefined();
    const { id } = await runs.start(kind, { head: 'one' }, keyed);
    expect((await runs.startedUnder(kind, keyed))?.id).toBe(id);
    expect((await runs.start(kind, { head: 'two' }, keyed)).id).toBe(id);
    const other = { key: 'k', request: { task: 'y' } };
    await expect(runs.startedUnder(kind, other)).rejects.toMatchObject({ code: 'NEXUS_CONFLICT' });
    await expect(runs.start(kind, { head: 'one' }, other)).rejects.toMatchObject({ code: 'NEXUS_CONFLICT' });
    expect(await ended(runs, id)).toMatchObject({ output: { head: 'one' } });
  });

  it.each(['by itself', 'as a child'])(
    'of a run that was cancelled in the middle of what must not be done twice tells so before it is done again (%s)',
    async (how) => {
      await using data = place();
      const done = counterOf();
      const writes = async (_: unknown, run: RunContext) => {
        await run.step('before', () => done.add('before'));
        return run.step(
          'writes',
          ({ signal: until }) => {
            done.add('writes');
            if (done.all.writes === 2) return 'written';
            return new Promise<never>((_resolve, reject) =>
              until.addEventListener('abort', () => reject(until.reason)),
            );
          },
          { isRepeatable: false },
        );
      };
      const inner = kindOf(writes, { name: 'test.inner' });
      const kinds =
        how === 'by itself' ? [kindOf(writes)] : [kindOf((_, run) => run.child('below', inner, null)), inner];
      const [outer] = kinds as [(typeof kinds)[0]];
      await using process = startEngine(data, kinds);
      const { runs } = process;
      const { id } = await runs.start(outer, null, { key: 'k' });
      await expect.poll(() => done.all).toEqual({ before: 1, writes: 1 });
      await runs.cancel(id);
      const unknown = { status: 'failed', error: { code: 'NEXUS_OUTCOME_UNKNOWN' } };
      const next = how === 'by itself' ? await runs.start(outer, null, { key: 'k' }) : await runs.takeUp(id);
      expect(await ended(runs, next.id)).toMatchObject({ ...unknown, rerunOf: id });
      expect((await runs.start(outer, null, { key: 'k' })).id).toBe(next.id);
      expect(done.all).toEqual({ before: 1, writes: 1 });
      const told = await runs.takeUp(id);
      expect(await ended(runs, told.id)).toMatchObject({ status: 'completed', output: 'written' });
      expect(done.all).toEqual({ before: 1, writes: 2 });
    },
  );

  it('of a run that was cancelled has it go on with the input and definition that it began with', async () => {
    await using data = place();
    let mayEnd = false;
    const waits = kindOf((input: unknown, run: RunContext) =>
      run.step('held', ({ signal: until }) =>
        mayEnd
          ? { input, definition: run.definition }
          : new Promise<never>((_, reject) => until.addEventListener('abort', () => reject(until.reason))),
      ),
    );
    await using process = startEngine(data, [waits]);
    const { runs } = process;
    const keyed = { key: 'k', request: 'r' };
    const { id } = await runs.start(waits, { head: 'one' }, { ...keyed, definition: { file: 1 } });
    await expect.poll(async () => (await runs.get(id)).steps.length).toBe(1);
    await runs.cancel(id);
    mayEnd = true;
    const next = await runs.startedUnder(waits, keyed);
    expect(next?.rerunOf).toBe(id);
    expect(await ended(runs, next?.id ?? '')).toMatchObject({
      output: { input: { head: 'one' }, definition: { file: 1 } },
    });
  });
});

/** Fails as it is told after one step that is done, until it is told nothing. */
function failing() {
  const count = counterOf();
  const told: { code: ConstructorParameters<typeof ToolError>[0] | undefined } = { code: undefined };
  const fails = kindOf(async (_: unknown, run) => {
    await run.step('paid', () => count.add('paid'));
    if (told.code) throw new ToolError(told.code, 'it did not work');
    return 'done';
  });
  return { count, told, fails };
}

describe.each(databasesByTurns)('a run that failed, on $name', ({ place }) => {
  it('goes on under its key where a retry may mend it, and nothing is done twice', async () => {
    await using data = place();
    const { count, told, fails } = failing();
    await using process = startEngine(data, [fails]);
    const { runs } = process;
    const start = (key: string) => runs.start(fails, null, { key });
    told.code = 'NEXUS_STORE_UNAVAILABLE';
    const first = await ended(runs, await start('k'));
    expect(first.status).toBe('failed');
    told.code = undefined;
    const again = await Promise.all([start('k'), start('k'), start('k')]);
    expect(new Set(again.map(({ id }) => id)).size).toBe(1);
    expect(await ended(runs, again[0]?.id ?? '')).toMatchObject({ output: 'done', rerunOf: first.id });
    expect(count.all).toEqual({ paid: 1 });
    told.code = 'NEXUS_MODEL_REFUSED';
    const refused = await ended(runs, await start('other'));
    told.code = undefined;
    expect(await start('other')).toMatchObject({ id: refused.id, status: 'failed' });
  });

  it('tells so as well where a failure beside it ended what must not be done twice, and a retry may mend that', async () => {
    await using data = place();
    const done = counterOf();
    const kind = kindOf(async (_: unknown, run: RunContext) => {
      const writes = run.step(
        'writes',
        ({ signal: until }) => {
          done.add('writes');
          return new Promise<never>((_resolve, reject) =>
            until.addEventListener('abort', () => reject(until.reason)),
          );
        },
        { isRepeatable: false },
      );
      writes.catch(() => {});
      await expect.poll(() => done.all.writes).toBe(1);
      if (done.add('beside') === 1) throw new ToolError('NEXUS_STORE_UNAVAILABLE', 'away');
      return writes;
    });
    await using process = startEngine(data, [kind]);
    const { runs } = process;
    const start = () => runs.start(kind, null, { key: 'k' });
    expect(await ended(runs, await start())).toMatchObject({ error: { code: 'NEXUS_STORE_UNAVAILABLE' } });
    expect(await ended(runs, await start())).toMatchObject({ error: { code: 'NEXUS_OUTCOME_UNKNOWN' } });
    expect(done.all).toEqual({ beside: 2, writes: 1 });
  });

  it('goes on once, however often it is taken up, and its key finds where', async () => {
    await using data = place();
    const { count, told, fails } = failing();
    await using process = startEngine(data, [fails]);
    const { runs } = process;
    told.code = 'NEXUS_MODEL_REFUSED';
    const caller = { session, user: 'alice' };
    const first = await ended(runs, await runs.start(fails, null, { key: 'k', caller }));
    told.code = undefined;
    const takenUp = await Promise.all([1, 2, 3].map(() => runs.takeUp(first.id)));
    expect(new Set(takenUp.map(({ id }) => id)).size).toBe(1);
    const next = await ended(runs, takenUp[0]?.id ?? '');
    expect(next).toMatchObject({ rerunOf: first.id, output: 'done' });
    expect((await runs.takeUp(first.id)).id).toBe(next.id);
    // It stays its user's, whoever took it up.
    expect((await runs.get(next.id, { user: 'alice' })).id).toBe(next.id);
    expect((await runs.start(fails, null, { key: 'k', caller })).id).toBe(next.id);
    expect(count.all).toEqual({ paid: 1 });
  });

  it('goes on once more where what it went on in failed too', async () => {
    await using data = place();
    const { told, fails } = failing();
    await using process = startEngine(data, [fails]);
    const { runs } = process;
    told.code = 'NEXUS_MODEL_REFUSED';
    const first = await ended(runs, await runs.start(fails, null));
    const second = await ended(runs, await runs.takeUp(first.id));
    expect(second).toMatchObject({ status: 'failed', rerunOf: first.id });
    told.code = undefined;
    const third = await ended(runs, await runs.takeUp(first.id));
    expect(third).toMatchObject({ status: 'completed', rerunOf: second.id });
    expect((await runs.takeUp(second.id)).id).toBe(third.id);
  });

  it('is run again from a step once under a key', async () => {
    await using data = place();
    const { count, fails } = failing();
    await using process = startEngine(data, [fails]);
    const { runs } = process;
    const { id } = await ended(runs, await runs.start(fails, null));
    const again = await Promise.all([1, 2].map(() => runs.rerun(id, { from: 'paid', key: 'k' })));
    expect(again[1]?.id).toBe(again[0]?.id);
    await ended(runs, again[0]?.id ?? '');
    expect(count.all).toEqual({ paid: 2 });
  });
});

describe.each(databasesByTurns)('a call’s key, on $name', ({ place }) => {
  it.each([
    ['NEXUS_STORE_UNAVAILABLE', false, 'again'],
    ['NEXUS_OUTCOME_UNKNOWN', false, 'again'],
    ['NEXUS_TIMEOUT', true, 'again'],
    ['NEXUS_TIMEOUT', false, 'NEXUS_TIMEOUT'],
    ['NEXUS_MODEL_REFUSED', true, 'NEXUS_MODEL_REFUSED'],
  ])('after %s, where it may run twice is %s, has it answer %s', async (code, mayRunTwice, said) => {
    await using data = place();
    await using server = startServer(data);
    const envelope = { code, message: 'no', category: 'unavailable', retryable: true };
    const failed = { content: [], isError: true, _meta: { 'nexus/error': envelope } };
    const job = work({ idempotencyKey: 'k', mayRunTwice, run: async () => failed });
    const first = await server.jobs.start(job);
    await server.jobs.outcome(first.job.jobId, { signal });
    const second = await server.jobs.start({ ...job, run: async () => result('again') });
    const answer = await server.jobs.outcome(second.job.jobId, { signal });
    const { code: kept } = Object(answer._meta?.['nexus/error']) as { code?: string };
    expect(kept ?? answer.structuredContent?.text).toBe(said);
  });
});

describe.each(databasesByTurns)('a key of the version before, on $name', ({ place }) => {
  const OLD = [
    { id: 'run_1', kind: 'test.run', title: 'Run', user_id: null, start_key: 'test.run\nk' },
    { id: 'run_2', kind: 'test.run', title: 'Run', user_id: 'bob', start_key: 'test.run\nk\nbob' },
    { id: 'job_1', kind: 'nexus.job', title: 'build', user_id: null, start_key: 'nexus.job\nbuild\nk' },
    { id: 'job_2', kind: 'nexus.job', title: 'build', user_id: 'bob', start_key: 'nexus.job\nbuild\nk\nbob' },
  ];

  it('finds what was begun under it', async () => {
    await using data = place();
    const at = migrations.findIndex(({ name }) => name.endsWith('keys-of-users'));
    const before = createStore(data.location);
    const db = await before.open<{ runs_runs: Partial<RunRow> }>('runs', migrations.slice(0, at));
    const input = JSON.stringify({ tool: 'build', arguments: {}, sessionId: 's', mayRunTwice: true });
    const now = Date.now();
    const times = { created_at: now, updated_at: now, ended_at: now };
    const common = { version: 1, status: 'failed' as const, epoch: 1, crashes: 0, bytes: 0, keep_ms: 1e9 };
    for (const row of OLD) {
      await db
        .insertInto('runs_runs')
        .values({ ...row, ...common, ...times, root_id: row.id, input })
        .execute();
    }
    await before.close();
    await using process = startEngine(data, [kind]);
    const found = async (user?: string) => {
      const caller = { session, user };
      const run = await process.runs.start(kind, { another: 'input' }, { key: 'k', request: {}, caller });
      const job = { ...work({ idempotencyKey: 'k', arguments: {} }), tool: 'build', user };
      return [run.id, (await process.engine.jobs.start(job)).job.jobId];
    };
    expect(await found()).toEqual(['run_1', 'job_1']);
    expect(await found('bob')).toEqual(['run_2', 'job_2']);
    await expect(process.runs.start(kind, { another: 'input' }, { key: 'k' })).rejects.toMatchObject({
      code: 'NEXUS_CONFLICT',
    });
  });
});
