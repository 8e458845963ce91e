import { type AnyRunKind, defineRun, type RunGraph } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { counterOf, databases, ended, startEngine } from '../../test/engine-under-test.ts';

const graphKind = (graph: (input: never) => RunGraph): AnyRunKind =>
  defineRun({ name: 'test.graph', version: 1, graph: graph as (input: unknown) => RunGraph });

describe.each(databases)('a graph, on $name', ({ place }) => {
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
