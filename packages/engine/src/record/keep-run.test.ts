import type { AnyRunKind, RunContext } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import {
  counterOf,
  databasesByTurns,
  ended,
  kindOf,
  type Place,
  startEngine,
} from '../../test/engine-under-test.ts';

const grandchild = { name: 'test.grandchild', version: 1 };
const child = { name: 'test.child', version: 1 };

/** A run with a child with a child, each of which has done something when the last waits to be let go. */
function family(place: Place, { fails = false } = {}) {
  const count = counterOf();
  let mayEnd = false;
  const held = (run: RunContext) =>
    run.step('held', ({ signal }) =>
      mayEnd
        ? count.add('held')
        : new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
  const kinds: readonly AnyRunKind[] = [
    kindOf(async (_: unknown, run) => {
      await run.step('own', () => count.add('parent'));
      if (fails) await run.step('fails', () => Promise.reject(new Error('no'))).catch(() => {});
      return run.child('deep', child, { a: 1 });
    }),
    kindOf(async (input: { a: number }, run) => {
      await run.step('own', ({ ledger }) => spend(ledger).then(() => count.add('child')));
      return [input.a, await run.child('deeper', grandchild, { b: 'x'.repeat(20_000) })];
    }, child),
    kindOf(async (input: { b: string }, run) => {
      await run.step('own', ({ ledger }) => spend(ledger).then(() => count.add('grandchild')));
      await held(run);
      return input.b.length;
    }, grandchild),
  ];
  const process = startEngine(place, kinds);
  const { runs } = process;
  return {
    process,
    count,
    /** @returns a run that was cancelled with all that it waited for */
    async cancelled() {
      const { id } = await runs.start(kinds[0] as AnyRunKind, null, { key: 'k' });
      await expect.poll(() => grandchildOf(id)).toEqual(['own', 'held']);
      await runs.cancel(id);
      mayEnd = true;
      return id;
    },
    again: () => runs.start(kinds[0] as AnyRunKind, null, { key: 'k' }),
  };

  async function grandchildOf(id: string) {
    const [deep] = (await runs.get(id)).children;
    return deep?.children[0]?.steps.map(({ name }) => name);
  }
}

async function spend(ledger: { reserve(estimate: object, what: string): Promise<unknown> }): Promise<void> {
  const cost = { tokens: 10, costUsd: 0.5 };
  const { settle } = (await ledger.reserve(cost, 'a call')) as { settle(spent: object): Promise<void> };
  await settle(cost);
}

const ONCE = { parent: 1, child: 1, grandchild: 1, held: 1 };

describe.each(databasesByTurns)('a run that was cancelled with its children, on $name', ({ place }) => {
  it('goes on with what they had done, where its call is made again', async () => {
    await using data = place();
    const { process, count, cancelled, again } = family(data);
    await using _ = process;
    const id = await cancelled();
    const next = await ended(process.runs, await again());
    expect(next).toMatchObject({ status: 'completed', rerunOf: id, output: [1, 20_000] });
    expect(count.all).toEqual(ONCE);
    expect(await process.runs.get(next.id)).toMatchObject({
      children: [{ parentStep: 'deep', status: 'completed', children: [{ status: 'completed' }] }],
    });
    expect((await process.runs.get(id)).children[0]).toMatchObject({ status: 'cancelled' });
  });

  it('goes on with what they had done, where it is taken up, and says before what that costs', async () => {
    await using data = place();
    const { process, count, cancelled } = family(data);
    await using _ = process;
    const id = await cancelled();
    const plan = await process.runs.planRerun(id, { goesOn: true });
    expect(plan).toMatchObject({ kept: ['own'], repeated: [{ name: 'deep', spent: { costUsd: 0 } }] });
    expect(await ended(process.runs, await process.runs.takeUp(id))).toMatchObject({
      output: [1, 20_000],
    });
    expect(count.all).toEqual(ONCE);
  });

  it('begins them anew, where it is run again from the step that they do', async () => {
    await using data = place();
    const { process, count, cancelled } = family(data);
    await using _ = process;
    const id = await cancelled();
    expect(await ended(process.runs, await process.runs.rerun(id, { from: 'deep' }))).toMatchObject({
      output: [1, 20_000],
    });
    expect(count.all).toEqual({ ...ONCE, child: 2, grandchild: 2 });
  });

  it('leaves those of a plugin that is not there to a server that has it', async () => {
    await using data = place();
    const { process, count, cancelled } = family(data);
    const id = await cancelled();
    await process[Symbol.asyncDispose]();
    const without = kindOf(async (_: unknown, run) => {
      await run.step('own', () => count.add('parent'));
      return run.child('deep', child, { a: 1 });
    });
    await using other = startEngine(data, [without]);
    const next = await other.runs.takeUp(id);
    const kept = { status: 'queued', steps: [{ name: 'own', status: 'completed' }] };
    await expect.poll(async () => (await other.runs.get(next.id)).children[0]).toMatchObject(kept);
  });

  it('goes on with those that it had begun after a failure, where it asks them for the same', async () => {
    await using data = place();
    const { process, count, cancelled } = family(data, { fails: true });
    await using _ = process;
    const id = await cancelled();
    await ended(process.runs, await process.runs.takeUp(id));
    expect(count.all).toEqual(ONCE);
  });

  it('goes on with one that had ended by itself', async () => {
    await using data = place();
    const { process, count, cancelled } = family(data);
    await using _ = process;
    const id = await cancelled();
    const { on } = await process.engine.open();
    await on.db
      .updateTable('runs_runs')
      .set({ status: 'failed' })
      .where('kind', '=', grandchild.name)
      .execute();
    await ended(process.runs, await process.runs.takeUp(id));
    expect(count.all).toEqual(ONCE);
  });
});
