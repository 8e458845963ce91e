import type { RunDetail } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';

const LONG = 'é'.repeat(40_000);

describe.each(databasesByTurns)('a run on $name', ({ place }) => {
  it('shows of each step what it was given and came to: the beginning, how long it is, and the whole by its name', async () => {
    await using data = place();
    const kind = kindOf(async (_: null, run) => {
      await run.step('look/up#1', () => ({ found: 2 }), { input: { name: 'read_file', path: 'a.ts' } });
      await run.step('long', () => LONG, { input: LONG });
      await run.step('given nothing', () => undefined);
      return null;
    });
    await using process = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, null);
    await ended(process.runs, id);
    const [look, long, nothing] = (await process.runs.get(id)).steps;
    const given = '{"name":"read_file","path":"a.ts"}';
    expect(look).toMatchObject({
      input: { json: given, characters: given.length },
      output: { json: '{"found":2}', characters: 11 },
    });
    const start = { json: `"${LONG.slice(0, 999)}`, characters: LONG.length + 2 };
    expect(long).toMatchObject({ input: start, output: start });
    expect(nothing).not.toHaveProperty('input');
    expect(nothing).not.toHaveProperty('output');
    expect(await process.runs.outputOf(id, 'look/up#1')).toEqual({ found: 2 });
    expect(await process.runs.outputOf(id, 'long')).toBe(LONG);
    for (const [step, user] of [['nothing', undefined] as const, ['long', 'somebody'] as const]) {
      await expect(process.runs.outputOf(id, step, { user })).rejects.toMatchObject({
        code: 'NEXUS_NOT_FOUND',
      });
    }
  });

  it('shows the input of a step that failed, and no output', async () => {
    await using data = place();
    const kind = kindOf((_: null, run) =>
      run.step('fails', () => Promise.reject(new Error('no')), { input: { a: 1 } }),
    );
    await using process = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, null);
    await ended(process.runs, id);
    const [step] = (await process.runs.get(id)).steps;
    expect(step).toMatchObject({ status: 'failed', input: { json: '{"a":1}', characters: 7 } });
    expect(step).not.toHaveProperty('output');
  });

  it('waits for nothing once it is over: what it was in the middle of below has come to something', async () => {
    await using data = place();
    const below = kindOf((_: null, run) => run.step('never ends', () => new Promise(() => {})), {
      name: 'below',
    });
    const kind = kindOf(
      async (_: null, run) => {
        const child = run.child('below', below, null);
        child.catch(() => {});
        await run.step('fails', () => Promise.reject(new Error('no')));
      },
      { name: 'above' },
    );
    await using process = startEngine(data, [kind, below]);
    const { id } = await process.runs.start(kind, null);
    await ended(process.runs, id);
    const { steps } = await process.runs.get(id);
    expect(steps.map(({ name, status, endedAt }) => [name, status, endedAt !== undefined])).toEqual([
      ['below', 'failed', true],
      ['fails', 'failed', true],
    ]);
  });

  it('is shown in pages, whose room its children share, and every step is on one of them', async () => {
    await using data = place();
    const child = kindOf(
      async (_: null, run) => {
        for (const at of [0, 1, 2]) await run.step(`c${at}`, () => at);
        return null;
      },
      { name: 'child' },
    );
    const kind = kindOf(async (_: null, run) => {
      await run.step('first', () => 1);
      await run.child('second', child, null);
      for (const at of [3, 4]) await run.step(`s${at}`, () => at);
      return null;
    });
    await using process = startEngine(data, [kind, child]);
    const { id } = await process.runs.start(kind, null);
    await ended(process.runs, id);
    const names = (run: RunDetail) => run.steps.map(({ name }) => name);
    const whole = await process.runs.get(id);
    expect(names(whole)).toEqual(['first', 'second', 's3', 's4']);
    expect(whole).not.toHaveProperty('more');
    const first = await process.runs.get(id, { page: { most: 3 } });
    expect(names(first)).toEqual(['first', 'second', 's3']);
    expect(first.more?.steps).toBe(1);
    // No room was left for the child's, which says so.
    expect(first.children.map((each) => [names(each), each.more])).toEqual([[[], { after: -1, steps: 3 }]]);
    const rest = await process.runs.get(id, { page: { most: 3, after: first.more?.after } });
    expect([names(rest), rest.children, rest.more]).toEqual([['s4'], [], undefined]);
    const all = await process.runs.get(id, { page: { most: 7 } });
    expect([names(all), all.more]).toEqual([names(whole), undefined]);
    expect(all.children.map(names)).toEqual([['c0', 'c1', 'c2']]);
    const below = await process.runs.get(String(first.children[0]?.id), { page: { most: 2, after: -1 } });
    expect([names(below), below.more?.steps]).toEqual([['c0', 'c1'], 1]);
  });

  it('names the runs of a family that lie too deep to be shown with it', async () => {
    await using data = place();
    const kind: ReturnType<typeof kindOf> = kindOf(async (left: number, run) => {
      if (left > 0) await run.child('below', kind, left - 1);
      return null;
    });
    await using process = startEngine(data, [kind]);
    const { id } = await process.runs.start(kind, 52);
    await ended(process.runs, id);
    let run = await process.runs.get(id);
    for (let depth = 0; depth < 50; depth += 1) {
      expect(run).not.toHaveProperty('deeper');
      run = run.children[0] as RunDetail; // each has one
    }
    expect(run.children).toEqual([]);
    expect(run.deeper).toHaveLength(1);
    const below = await process.runs.get(String(run.deeper?.[0]));
    expect(below.children.map(({ children }) => children)).toEqual([[]]);
  });
});
