import { ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { databases, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import type { LoadedKind } from './kinds.ts';

const kind = kindOf(async (_: null, run) => run.step('one', () => 1));
const loaded: LoadedKind = { kind, host: {} as LoadedKind['host'], state: undefined };
const other = { name: 'test.other', version: 1 };

describe.each(databases)('a kind that is known by its name, on $name', ({ place }) => {
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
