import { ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import type { LoadedKind } from './kinds.ts';

const kind = kindOf(async (_: null, run) => run.step('one', () => 1));
const loaded: LoadedKind = { kind, host: {} as LoadedKind['host'], state: undefined };
const other = { name: 'test.other', version: 1 };

describe.each(databasesByTurns)('a kind that is known by its name, on $name', ({ place }) => {
  it('is loaded for a run of its own, and for no look at the record', async () => {
    await using data = place();
    const loads: string[] = [];
    await using left = startEngine(data, []);
    const run = await left.runs.start(kind, null);
    await using process = startEngine(data, []);
    process.engine.define({
      ...other,
      load: async () => {
        loads.push('other');
        return loaded;
      },
    });
    expect(process.runs.knows(other)).toBe(true);
    expect(process.runs.knows({ ...other, version: 2 })).toBe(false);
    const { worker } = await process.engine.open();
    await process.engine.adopt();
    await worker.tick();
    await using next = startEngine(data, []);
    for (const { name, version } of [kind, other]) {
      next.engine.define({
        name,
        version,
        load: async () => {
          loads.push(name);
          return loaded;
        },
      });
    }
    await next.engine.adopt();
    expect(await ended(next.runs, run)).toMatchObject({ status: 'completed', output: 1 });
    expect(loads).toEqual(['test.run']);
  });

  it('says what a field of its input may be, and whoever starts it is held to that before anything is on record', async () => {
    await using data = place();
    const choosy = {
      ...kindOf(async (given: { flavour?: string }) => given.flavour ?? 'plain', { name: 'test.choosy' }),
      choices: { flavour: ['sweet', 'sour'] },
    };
    const parent = kindOf(
      async (given: unknown, run) =>
        run.child('child', choosy, given).catch((error: ToolError) => `${error.code}: ${error.message}`),
      { name: 'test.parent' },
    );
    await using process = startEngine(data, [choosy, parent]);
    expect(process.runs.choices(choosy)).toEqual({ flavour: ['sweet', 'sour'] });
    expect(process.runs.choices(parent)).toEqual({});
    expect(process.runs.choices({ name: 'test.choosy', version: 2 })).toEqual({});
    for (const flavour of ['swete', 1, null]) {
      await expect(process.runs.start(choosy, { flavour })).rejects.toMatchObject({
        code: 'NEXUS_INVALID_ARGUMENTS',
        message: `flavour of test.choosy is one of sweet, sour; ${JSON.stringify(flavour)} is none.`,
        detail: { field: 'flavour', nearest: flavour === 'swete' ? ['sweet'] : [] },
      });
    }
    expect((await process.runs.list({ limit: 9 })).total).toBe(0);
    const outcomes = [];
    for (const given of [{ flavour: 'sour' }, {}, { flavour: 'bitter' }]) {
      const { output } = await ended(process.runs, await process.runs.start(parent, given));
      outcomes.push(output);
    }
    expect(outcomes).toEqual([
      'sour',
      'plain',
      'NEXUS_INVALID_ARGUMENTS: flavour of test.choosy is one of sweet, sour; "bitter" is none.',
    ]);
    const { on } = await process.engine.open();
    const children = on.db.selectFrom('runs_runs').select('id').where('kind', '=', choosy.name);
    expect(await children.execute()).toHaveLength(2);
  });

  it('that cannot be loaded leaves its run on record, to be resumed when it can', async () => {
    await using data = place();
    let isThere = false;
    await using process = startEngine(data, []);
    process.engine.define({
      name: kind.name,
      version: kind.version,
      load: async () => {
        if (!isThere) throw new ToolError('NEXUS_UNAVAILABLE', 'its key is not set');
        return loaded;
      },
    });
    await process.engine.adopt();
    const run = await process.runs.start(kind, null);
    expect(await ended(process.runs, run)).toMatchObject({
      status: 'paused',
      error: { code: 'NEXUS_UNAVAILABLE', message: expect.stringContaining('its key is not set') },
    });
    isThere = true;
    await process.runs.resume(run.id);
    expect(await ended(process.runs, run)).toMatchObject({ status: 'completed', output: 1 });
  });
});
