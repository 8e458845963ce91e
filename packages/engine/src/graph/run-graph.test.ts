import { type AnyRunKind, defineRun, type RunCount, type RunGraph } from '@nexus/plugin-sdk';
import { describe, expect, it, vi } from 'vitest';
import { counterOf, databasesByTurns, ended, startEngine } from '../../test/engine-under-test.ts';

const graphKind = (graph: (input: never) => RunGraph): AnyRunKind =>
  defineRun({ name: 'test.graph', version: 1, graph: graph as (input: unknown) => RunGraph });

describe.each(databasesByTurns)('a graph, on $name', ({ place }) => {
  it('visits what may be visited side by side, leaves out what is not wanted, and goes back', async () => {
    await using data = place();
    const count = counterOf();
    const step = (name: string) => ({
      visit: async ({ run, visit }: { run: { step: CallableFunction }; visit: number }) => {
        count.add(name);
        return run.step('work', () => `${name}${visit}`);
      },
    });
    const kind = graphKind(() => ({
      nodes: {
        plan: step('plan'),
        code: { ...step('code'), needs: ['plan'] },
        docs: { ...step('docs'), needs: ['plan'] },
        never: { ...step('never'), needs: ['plan'], when: () => false },
        review: {
          ...step('review'),
          needs: ['code', 'docs', 'never'],
          again: ({ visits }) => ((visits.review ?? 0) < 3 ? ['code'] : []),
        },
        each: {
          needs: ['review'],
          forEach: () => ['a', 'b', 'c'],
          concurrency: 2,
          visit: async ({ item, index, run }) => run.step('item', () => `${item}${index}`),
        },
      },
    }));
    await using process = startEngine(data, [kind]);
    const run = await ended(process.runs, await process.runs.start(kind, null));
    expect(run).toMatchObject({
      status: 'completed',
      output: { plan: 'plan1', code: 'code3', docs: 'docs1', review: 'review3', each: ['a0', 'b1', 'c2'] },
    });
    expect(count.all).toEqual({ plan: 1, code: 3, docs: 1, review: 3 });
    const { edges, steps } = await process.runs.get(run.id);
    expect(edges).toContainEqual({ from: 'review', to: 'code', isBack: true });
    expect(steps.find(({ name }) => name === 'code#2/work')).toMatchObject({ node: 'code' });
  });

  it('tells who waits for its run, or for one that it is a child of, how many of its steps are done', async () => {
    await using data = place();
    const visit = async () => 1;
    const kind = graphKind(() => ({
      nodes: { a: { visit }, b: { needs: ['a'], visit }, c: { needs: ['b'], when: () => false, visit } },
    }));
    const outer = defineRun({
      name: 'test.outer',
      version: 1,
      run: (_input, run) => run.child('graph', kind, null),
    });
    await using process = startEngine(data, [kind, outer]);
    for (const each of [kind, outer]) {
      const counts: RunCount[] = [];
      const { id } = await process.runs.start(each, null);
      await process.runs.wait(id, {
        signal: new AbortController().signal,
        onCount: (count) => counts.push(count),
      });
      expect(counts.map(({ message }) => message)).toEqual(expect.arrayContaining(['2 of 3 steps done']));
      expect(counts.at(-1)).toMatchObject({ total: 3 });
      expect(new Set(counts.map(({ runId }) => runId)).size).toBe(1);
    }
  });

  it('says while it waits how far it came, and nothing of that once it is over', async () => {
    await using data = place();
    const kind = graphKind(() => ({
      nodes: {
        first: { visit: async () => 1 },
        asks: { needs: ['first'], visit: ({ run }) => run.ask('which', { message: 'Go on?' }) },
      },
    }));
    await using process = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, null);
    await vi.waitFor(
      async () =>
        expect(await process.runs.get(id)).toMatchObject({ status: 'waiting', message: '1 of 2 steps done' }),
      { timeout: 10_000 },
    );
    await process.runs.answer(id, { action: 'accept', content: {} });
    const run = await ended(process.runs, id);
    expect(run.status).toBe('completed');
    expect(run.message).toBeUndefined();
  });

  it('that goes back without end is stopped, as is one that is faulty', async () => {
    await using data = place();
    const endless = graphKind(() => ({
      nodes: { spin: { visit: async () => 1, again: () => ['spin'], maxVisits: 5 } },
    }));
    await using process = startEngine(data, [endless]);
    expect(await ended(process.runs, await process.runs.start(endless, null))).toMatchObject({
      error: { code: 'NEXUS_LOOP', detail: { what: 'spin', visits: 5 } },
    });
    const faulty = graphKind(() => ({
      nodes: { a: { needs: ['b'], visit: async () => 1 }, b: { needs: ['a', 'aa'], visit: async () => 1 } },
    }));
    await using other = startEngine(data, [faulty]);
    expect(await ended(other.runs, await other.runs.start(faulty, null))).toMatchObject({
      error: { code: 'NEXUS_INVALID_ARGUMENTS', message: expect.stringContaining('"aa", which is no node') },
    });
  });

  it('of 2 000 visits goes on in child runs by itself, each visit once', async () => {
    await using data = place();
    const count = counterOf();
    const kind = graphKind(() => ({
      nodes: {
        each: {
          forEach: () => Array.from({ length: 2_000 }, (_, at) => at),
          visit: async ({ item }) => {
            count.add('visit');
            return item;
          },
        },
      },
      result: ({ outputs }) => (outputs.each as number[]).reduce((sum, each) => sum + each, 0),
    }));
    await using process = startEngine(data, [kind]);
    const run = await ended(process.runs, await process.runs.start(kind, null));
    expect(run).toMatchObject({ status: 'completed', output: 1_999_000 });
    expect(count.all).toEqual({ visit: 2_000 });
    const detail = await process.runs.get(run.id);
    expect(detail.children[0]?.children).toHaveLength(1);
  });
});
