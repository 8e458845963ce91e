import { describe, expect, it } from 'vitest';
import { databases, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';

const LONG = 'é'.repeat(40_000);

describe.each(databases)('a run on $name', ({ place }) => {
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
});
