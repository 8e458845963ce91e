import { describe, expect, it } from 'vitest';
import { databasesByTurns, kindOf, startEngine } from '../../test/engine-under-test.ts';

describe.each(databasesByTurns)('the beginning of an id, on $name', ({ place }) => {
  it('names the run that alone begins so, and no other', async () => {
    await using data = place();
    const kind = kindOf(async () => null);
    await using process = startEngine(data, [kind]);
    const { engine, runs } = process;
    const { id } = await runs.start(kind, null);
    for (const written of [id, id.slice(0, 12), id.slice(4, 12), `${id.slice(0, 12)}…`, id.toUpperCase()]) {
      expect(await engine.idOf(written)).toBe(id);
    }
    const last = id.at(-1) === '0' ? '1' : '0';
    for (const written of [
      `${id.slice(0, -1)}${last}`,
      `job${id.slice(3)}`,
      'run_',
      'run',
      '%%%%%%',
      'run____a',
    ]) {
      await expect(engine.idOf(written)).rejects.toMatchObject({ code: 'NEXUS_NOT_FOUND' });
    }
    for (const [written, text] of [
      [id.slice(4, 7), /is too little to name a run: at least 4 characters/],
      [`job_${id.slice(4, 7)}`, /is too little to name a job: at least 4 characters.*nexus jobs/],
      ['job_zzzz', /^No job job_zzzz: .*`nexus jobs` lists them/],
      ['', /^No id of a run was written. `nexus runs` lists them/],
      ['run_', /^run_ is what the id of every run begins with/],
      ['job_', /^job_ is what the id of every job begins with/],
    ] as const) {
      await expect(engine.idOf(written)).rejects.toMatchObject({ message: expect.stringMatching(text) });
    }
    const { on } = await engine.open();
    const twin = `${id.slice(0, 12)}${'z'.repeat(24)}`;
    const row = await on.db
      .selectFrom('runs_runs')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await on.db
      .insertInto('runs_runs')
      .values({ ...row, id: twin })
      .execute();
    await expect(engine.idOf(id.slice(0, 12))).rejects.toMatchObject({
      code: 'NEXUS_CONFLICT',
      message: expect.stringContaining(twin),
    });
    expect(await engine.idOf(id)).toBe(id);
  });

  it('names a job where no run begins so, and says of neither what it says of a run', async () => {
    await using data = place();
    const kind = kindOf(async () => null);
    await using process = startEngine(data, [kind]);
    const { engine, runs } = process;
    const { id } = await runs.start(kind, null);
    const { on } = await engine.open();
    const row = await on.db
      .selectFrom('runs_runs')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const job = `job_${'z'.repeat(32)}`;
    await on.db
      .insertInto('runs_runs')
      .values({ ...row, id: job })
      .execute();
    for (const written of [job, 'job_zzzz', 'zzzz']) expect(await engine.idOf(written)).toBe(job);
    await expect(engine.idOf('run_zzzz')).rejects.toMatchObject({ code: 'NEXUS_NOT_FOUND' });
    await expect(engine.idOf('yyyy')).rejects.toMatchObject({
      message: expect.stringMatching(/^No run yyyy: .*`nexus runs` lists them/),
    });
  });
});
