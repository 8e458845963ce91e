import { ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { databases, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';

describe.each(databases)('a run that pauses, on $name', ({ place }) => {
  it('does so once a step that it was about to begin is done, and keeps what that came to', async () => {
    await using data = place();
    let isRich = false;
    const paid: boolean[] = [];
    let go = () => {};
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    const kind = kindOf((_: null, run) =>
      Promise.all([
        run.step('dear', () => {
          if (isRich) return 'dear';
          go();
          throw new ToolError('NEXUS_BUDGET_EXCEEDED', 'The budget is spent.');
        }),
        gone.then(() =>
          run.step('beside', async () => {
            await new Promise((resolve) => setTimeout(resolve, 50));
            paid.push(isRich);
            return 'beside';
          }),
        ),
      ]),
    );
    await using process = startEngine(data, [kind]);
    const { runs } = process;
    const { id } = await runs.start(kind, null);
    const paused = await ended(runs, id);
    expect([paused.status, paid]).toEqual(['paused', [false]]);
    isRich = true;
    await runs.resume(id, { cap: { tokens: 10 } });
    expect(await ended(runs, id)).toMatchObject({ output: ['dear', 'beside'] });
    expect(paid).toEqual([false]);
  });
});
