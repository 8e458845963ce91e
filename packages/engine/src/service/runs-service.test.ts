import { ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { counterOf, databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';

describe.each(databasesByTurns)('runs on $name', ({ place }) => {
  it('are on record before they begin, and keep what their function answers', async () => {
    await using data = place();
    const add = kindOf(async (input: { a: number }, run) => {
      const b = await run.step('one', () => input.a + 1);
      return { sum: await run.step('two', () => b + 1) };
    });
    await using process = startEngine(data, [add]);
    const run = await process.runs.start(add, { a: 1 }, { title: 'Add' });
    expect(run).toMatchObject({ kind: 'test.run', version: 1, title: 'Add', status: 'running' });
    expect(run.id).toMatch(/^run_[0-9a-f]{32}$/);
    expect(await ended(process.runs, run)).toMatchObject({ status: 'completed', output: { sum: 3 } });
    const detail = await process.runs.get(run.id);
    expect(detail.steps.map(({ name, status }) => [name, status])).toEqual([
      ['one', 'completed'],
      ['two', 'completed'],
    ]);
  });

  it('are found for their own user alone, where one is named', async () => {
    await using data = place();
    const kind = kindOf(async () => 1);
    await using process = startEngine(data, [kind]);
    const caller = { session: { id: 's' }, user: 'alice' };
    const { id } = await process.runs.start(kind, null, { caller });
    expect(await process.runs.get(id, { user: 'alice' })).toMatchObject({ id });
    expect(await process.runs.get(id)).toMatchObject({ id });
    await expect(process.runs.get(id, { user: 'bob' })).rejects.toMatchObject({ code: 'NEXUS_NOT_FOUND' });
  });

  it('fail with what their function throws', async () => {
    await using data = place();
    const fail = kindOf(async () => {
      throw new ToolError('NEXUS_UNAVAILABLE', 'no model', { detail: { ways: 3 } });
    });
    await using process = startEngine(data, [fail]);
    expect(await ended(process.runs, await process.runs.start(fail, null))).toMatchObject({
      status: 'failed',
      error: { code: 'NEXUS_UNAVAILABLE', message: 'no model', detail: { ways: 3 } },
    });
  });

  it('are found by their key: once with the same input, a conflict with another', async () => {
    await using data = place();
    const count = counterOf();
    const kind = kindOf(async () => count.add('run'));
    await using process = startEngine(data, [kind]);
    const starts = await Promise.all(
      Array.from({ length: 5 }, () => process.runs.start(kind, { a: 1, b: 2 }, { key: 'k' })),
    );
    expect(new Set(starts.map(({ id }) => id)).size).toBe(1);
    expect((await process.runs.start(kind, { b: 2, a: 1 }, { key: 'k' })).id).toBe(starts[0]?.id);
    await expect(process.runs.start(kind, { a: 2 }, { key: 'k' })).rejects.toMatchObject({
      code: 'NEXUS_CONFLICT',
    });
    await ended(process.runs, starts[0]?.id ?? '');
    expect(count.all).toEqual({ run: 1 });
  });

  it('go on at another process from where they were, without doing a finished step again', async () => {
    await using data = place();
    const count = counterOf();
    let mayEnd = false;
    const kind = kindOf(async (_: null, run) => {
      const one = await run.step('one', () => count.add('one'));
      const two = await run.step('two', ({ signal }) => {
        count.add('two');
        if (mayEnd) return one + 1;
        return new Promise<number>((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason)),
        );
      });
      return two;
    });
    const first = startEngine(data, [kind]);
    const run = await first.runs.start(kind, null);
    await expect.poll(() => count.all).toEqual({ one: 1, two: 1 });
    await first.engine.stop(1_000);
    await first.store.close();
    mayEnd = true;
    await using next = startEngine(data, [kind]);
    await next.engine.adopt();
    expect(await ended(next.runs, run)).toMatchObject({ status: 'completed', output: 2 });
    expect(count.all).toEqual({ one: 1, two: 2 });
  });
});
