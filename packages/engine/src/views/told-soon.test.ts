import { defineRun, type RunEvent } from '@nexus/plugin-sdk';
import { expect, it, vi } from 'vitest';
import { databases, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';
import { machine } from '../ground.ts';

const [{ place }] = databases as [(typeof databases)[0]];
/** Work that ends when the test says so. */
function gate() {
  let resolve = () => {};
  const promise = new Promise<void>((open) => {
    resolve = open;
  });
  return { promise, resolve };
}

const signal = AbortSignal.timeout(60_000);

it('what a run says is on record soon, before its process next says that it lives', async () => {
  await using data = place();
  const end = gate();
  const kind = kindOf(async (_: null, run) => {
    run.progress('works on it');
    await run.step('waits', () => end.promise);
  });
  const ground = { ...machine, every: () => ({ unref() {} }) };
  await using process = startEngine(data, [kind], { ground });
  const { id } = await process.runs.start(kind, null);
  await using elsewhere = startEngine(data, []);
  await vi.waitFor(async () => expect((await elsewhere.runs.get(id)).message).toBe('works on it'), {
    timeout: 20_000,
  });
  end.resolve();
  await ended(process.runs, id);
});

it('who follows a run is told of what the runs below it do', async () => {
  await using data = place();
  const first = gate();
  const second = gate();
  const below = kindOf(
    async (_: null, run) => {
      await run.step('first', () => first.promise);
      await run.step('second', () => second.promise);
    },
    { name: 'below' },
  );
  const kind = kindOf(async (_: null, run) => run.child('below', below, null));
  const told: string[] = [];
  await using process = startEngine(data, [kind, below], { onUpdated: (id) => told.push(id) });
  const { id } = await process.runs.start(kind, null);
  const stepsBelow = (count: number) =>
    vi.waitFor(async () => expect((await process.runs.get(id)).children[0]?.steps).toHaveLength(count), {
      timeout: 20_000,
    });
  await stepsBelow(1);
  const childId = (await process.runs.get(id)).children[0]?.id ?? '';
  await vi.waitFor(() => expect(told).toContain(childId), { timeout: 20_000 });
  told.splice(0);
  first.resolve();
  await stepsBelow(2);
  // Nothing of the first of them is written meanwhile.
  await vi.waitFor(() => expect(new Set(told)).toEqual(new Set([id, childId])), { timeout: 20_000 });
  second.resolve();
  await ended(process.runs, id);
});

it('a step of a graph is called the same as it begins and once it is over', async () => {
  await using data = place();
  const kind = defineRun({
    name: 'test.graph',
    version: 1,
    graph: () => ({
      nodes: {
        settle: {
          visit: async ({ run }) => {
            await run.step('waits', () => 1);
            await run.sleep('rests', 1);
          },
        },
      },
    }),
  });
  await using process = startEngine(data, [kind]);
  const { id } = await process.runs.start(kind, null);
  const events: RunEvent[] = [];
  await process.runs.wait(id, { signal, onEvent: (event) => events.push(event) });
  const begun = events.flatMap(({ type, data: of }) =>
    type === 'step.started' ? [(of as { title?: string } | undefined)?.title] : [],
  );
  expect(begun).toEqual(['settle: waits', 'settle: rests']);
  const { steps } = await process.runs.get(id);
  expect(steps.filter(({ kind: of }) => of !== 'event').map(({ title }) => title)).toEqual(begun);
});
