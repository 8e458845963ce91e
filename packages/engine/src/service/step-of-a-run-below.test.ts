import { expect, it } from 'vitest';
import { databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';

it.each(databasesByTurns)(
  'a rerun from a step of a run below says which step does it, on $name',
  async ({ place }) => {
    await using data = place();
    const deepest = kindOf(async (_: null, run) => run.step('sum', () => 1, { title: 'Sum up' }), {
      name: 'deepest',
    });
    const below = kindOf(async (_: null, run) => run.child('deeper', deepest, null), { name: 'below' });
    const kind = kindOf(async (_: null, run) => run.child('work', below, null, { title: 'the work' }));
    await using process = startEngine(data, [kind, below, deepest]);
    const { runs } = process;
    const { id } = await ended(runs, await runs.start(kind, null));
    await expect(runs.planRerun(id, { from: 'Sum up' })).rejects.toMatchObject({
      code: 'NEXUS_NOT_FOUND',
      message: expect.stringMatching(/"Sum up" is no step of run \w+ itself.*Name that one: work\.$/),
    });
    for (const from of ['the work: deeper', 'deeper: Sum up'])
      await expect(runs.planRerun(id, { from })).rejects.toThrow(/Name that one: work\.$/);
    await expect(runs.planRerun(id, { from: 'Sum down' })).rejects.toThrow(
      /has no step "Sum down". It has: work \(the work\)/,
    );
    expect(await runs.planRerun(id, { from: 'the work' })).toMatchObject({ repeated: [{ name: 'work' }] });
  },
);
