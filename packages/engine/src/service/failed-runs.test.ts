import { type RunContext, ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { JOB_KIND } from '../record/job-kind.ts';

const HOUR_MS = 3_600_000;
const failing = kindOf(
  async (input: { code?: 'NEXUS_TIMEOUT' | 'NEXUS_CONFLICT' }, run: RunContext) => {
    await run.step('kept', () => 1);
    if (input.code && !isMended) throw new ToolError(input.code, 'not now');
    return 'done';
  },
  { name: 'test.failing' },
);
const other = kindOf(() => Promise.reject(new ToolError('NEXUS_TIMEOUT', 'late')), { name: 'test.other' });
let isMended = false;

describe.each(databasesByTurns)('runs that came to nothing, on $name', ({ place }) => {
  it('are found by status, kind, code and time, the oldest first, without what was run again', async () => {
    isMended = false;
    await using data = place();
    await using process = startEngine(data, [failing, other]);
    const { engine, runs } = process;
    const end = async (kind: typeof failing, input: unknown) => {
      const { id } = await runs.start(kind, input);
      await ended(runs, id);
      return id;
    };
    const late = await end(failing, { code: 'NEXUS_TIMEOUT' });
    data.ahead(2 * HOUR_MS);
    const conflict = await end(failing, { code: 'NEXUS_CONFLICT' });
    const elsewhere = await end(other, {});
    await end(failing, {});
    const idsOf = async (query: Partial<Parameters<typeof engine.failed>[0]> = {}) => {
      const found = await engine.failed({ statuses: ['failed'], limit: 9, ...query });
      return found.runs.map(({ id }) => id);
    };
    expect(await idsOf()).toEqual([late, conflict, elsewhere]);
    expect(await idsOf({ kind: 'test.failing' })).toEqual([late, conflict]);
    expect(await idsOf({ code: 'NEXUS_TIMEOUT' })).toEqual([late, elsewhere]);
    expect(await idsOf({ withinMs: HOUR_MS })).toEqual([conflict, elsewhere]);
    expect(await idsOf({ statuses: ['cancelled'] })).toEqual([]);
    const two = await engine.failed({ statuses: ['failed'], limit: 2 });
    expect(two).toMatchObject({
      total: 3,
      runs: [{ id: late, code: 'NEXUS_TIMEOUT', message: 'not now' }, {}],
    });

    isMended = true;
    const next = await runs.takeUp(late);
    expect(await ended(runs, next.id)).toMatchObject({ output: 'done', rerunOf: late });
    expect((await runs.get(next.id)).steps.map(({ name }) => name)).toEqual(['kept']);
    const again = await runs.rerun(conflict, { input: { code: 'NEXUS_CONFLICT' } });
    await ended(runs, again.id);
    expect(await idsOf()).toEqual([elsewhere]);
    const named = await engine.failed({ statuses: ['failed'], kind: 'test.failing', limit: 9 });
    expect(named).toMatchObject({ runs: [], total: 0, againTotal: 2 });
    expect(named.again).toEqual([
      { id: late, kind: 'test.failing', title: 'test.failing', begun: { id: next.id, status: 'completed' } },
      {
        id: conflict,
        kind: 'test.failing',
        title: 'test.failing',
        begun: { id: again.id, status: 'completed' },
      },
    ]);
    const newest = await runs.rerun(again.id, { input: { code: 'NEXUS_CONFLICT' } });
    const last = await engine.failed({ statuses: ['failed'], limit: 1 });
    expect(last).toMatchObject({ againTotal: 2, again: [{ id: conflict, begun: { id: newest.id } }] });
  });

  it('are a job’s run, and no child of another’s', async () => {
    isMended = false;
    await using data = place();
    const parent = kindOf((_: unknown, run: RunContext) =>
      run.child('child', other as never, {}).catch(() => 'went on'),
    );
    await using process = startEngine(data, [parent, other, failing]);
    const { engine, runs } = process;
    await ended(runs, await runs.start(parent, null));
    expect((await engine.failed({ statuses: ['failed'], limit: 9 })).runs).toEqual([]);
    const { on } = await engine.open();
    await on.db.updateTable('runs_runs').set({ kind: JOB_KIND }).where('parent_id', 'is', null).execute();
    const found = await engine.failed({ statuses: ['failed'], limit: 9 });
    expect(found.runs).toMatchObject([{ kind: 'test.other' }]);
    expect(found.total).toBe(1);
  });
});
