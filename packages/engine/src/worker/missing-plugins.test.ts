import { describe, expect, it } from 'vitest';
import { databasesByTurns, ended, kindOf, type Place, startEngine } from '../../test/engine-under-test.ts';
import { heldWork, result } from '../../test/server-under-test.ts';

const { signal } = new AbortController();

const child = kindOf(async () => 'from below', { name: 'other.child' });
const parent = kindOf(async (_: null, run) => run.child('below', child, null), { name: 'own.parent' });

/** A process that has only these tools, and the calls that it made again. */
function startWith(place: Place, tools: readonly string[]) {
  const reruns: string[] = [];
  const process = startEngine(place, [], {
    hasTool: (name) => tools.includes(name),
    async rerun({ tool }) {
      reruns.push(tool);
      return result(tool);
    },
  });
  return { process, reruns };
}

/** A job whose process has died in the middle of it. */
async function left(
  place: Place,
  tool: string,
  { mayRunTwice = true, isUnderWay = false } = {},
): Promise<string> {
  const { process } = startWith(place, [tool]);
  await using _process = process;
  const { job, begun } = heldWork({ tool, mayRunTwice, isUnderWay });
  const { jobId } = (await process.engine.jobs.start(job)).job;
  await begun;
  if (isUnderWay) {
    // It died before its step came on record.
    const { on } = await process.engine.open();
    await on.db.deleteFrom('runs_steps').where('run_id', '=', jobId).execute();
  }
  await process.die();
  return jobId;
}

describe.each(databasesByTurns)('what is of a plugin that is not there, on $name', ({ place }) => {
  it('says so as a run, and above it, with what to do; and goes on once the plugin is back', async () => {
    await using data = place();
    await using without = startEngine(data, [parent]);
    await without.engine.adopt();
    const { id } = await without.runs.start(parent, null);
    const shown = async () => without.runs.get(id);
    await expect.poll(async () => (await shown()).children[0]?.status).toBe('queued');
    const run = await shown();
    const [below] = run.children;
    expect(below?.message).toBe(
      `It waits for a server that has the plugin "other", which this one has not. Put it back into the config, and it goes on; or end it by \`nexus runs cancel ${below?.id}\`.`,
    );
    expect(run.message).toContain(`(${below?.id}) waits for a server that has the plugin "other"`);
    expect(run.message).toContain(`nexus runs cancel ${id}`);
    expect((await without.runs.list({ limit: 1 })).runs[0]?.message).toBe(run.message);
    await using whole = startEngine(data, [parent, child]);
    await whole.engine.adopt();
    const done = await ended(whole.runs, id, 20_000);
    expect(done).toMatchObject({ status: 'completed', output: 'from below' });
    expect(done.message).toBeUndefined();
  });

  it('names the version where the plugin has another one', async () => {
    await using data = place();
    const earlier = kindOf(async () => 1, { name: 'own.parent', version: 7 });
    await using without = startEngine(data, [parent]);
    const { id } = await without.runs.start(earlier, null);
    expect((await without.runs.get(id)).message).toContain(
      'version 7 of own.parent, of which this server has version 1',
    );
  });

  it('ends a job whose call was under way and may not be made twice, though its step is not on record yet', async () => {
    await using data = place();
    const jobId = await left(data, 'once', { mayRunTwice: false, isUnderWay: true });
    const { process, reruns } = startWith(data, []);
    await using _process = process;
    await process.engine.adopt();
    expect(await process.engine.jobs.outcome(jobId, { signal })).toMatchObject({
      _meta: { 'nexus/error': { code: 'NEXUS_OUTCOME_UNKNOWN' } },
    });
    expect(reruns).toEqual([]);
  });

  it('ends by being cancelled', async () => {
    await using data = place();
    await using without = startEngine(data, [parent]);
    await without.engine.adopt();
    const { id } = await without.runs.start(parent, null);
    await expect.poll(async () => (await without.runs.get(id)).children.length).toBe(1);
    await without.runs.cancel(id);
    expect((await without.runs.get(id)).children[0]).toMatchObject({ status: 'cancelled' });
  });

  it('waits as a job too, and holds up no other, until a server has its tool', async () => {
    await using data = place();
    const [gone, kept] = [await left(data, 'gone'), await left(data, 'kept')];
    const { process, reruns } = startWith(data, ['kept']);
    await using without = process;
    await without.engine.adopt();
    expect(await without.engine.jobs.outcome(kept, { signal })).toEqual(result('kept'));
    const { worker } = await without.engine.open();
    await worker.tick();
    await worker.tick();
    expect(reruns).toEqual(['kept']);
    // The other was taken beside it, and may still be on its way back.
    const queued = async () => (await without.engine.jobs.list({ status: 'queued', limit: 9 })).jobs;
    await expect.poll(queued).toMatchObject([
      {
        jobId: gone,
        statusMessage: `It waits for a server that has the plugin of the tool gone, which this one has not. Put it back into the config, and it goes on; or end it by \`nexus runs cancel ${gone}\`.`,
      },
    ]);
    const { process: whole, reruns: again } = startWith(data, ['gone', 'kept']);
    await using _whole = whole;
    await whole.engine.adopt();
    expect(await whole.engine.jobs.outcome(gone, { signal })).toEqual(result('gone'));
    expect(again).toEqual(['gone']);
  });

  it('is claimed once by a server without its tool, and then left alone', async () => {
    await using data = place();
    const jobId = await left(data, 'gone');
    const { process } = startWith(data, []);
    await using without = process;
    await without.engine.adopt();
    const { on, worker } = await without.engine.open();
    const row = () =>
      on.db.selectFrom('runs_runs').select(['status', 'epoch', 'wake_at']).where('id', '=', jobId).execute();
    await expect.poll(async () => (await row())[0]).toMatchObject({ status: 'queued', epoch: 2 });
    for (let times = 0; times < 3; times += 1) await worker.tick();
    expect(await row()).toMatchObject([{ status: 'queued', epoch: 2 }]);
  });

  it('ends as of unknown outcome, as a job that must not be made twice', async () => {
    await using data = place();
    const jobId = await left(data, 'gone', { mayRunTwice: false });
    const { process } = startWith(data, []);
    await using without = process;
    await without.engine.adopt();
    expect(await without.engine.jobs.outcome(jobId, { signal })).toMatchObject({
      isError: true,
      _meta: { 'nexus/error': { code: 'NEXUS_OUTCOME_UNKNOWN' } },
    });
  });
});
