import { type Answer, type RunContext, ToolError } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { databasesByTurns, ended, kindOf, startEngine } from '../../test/engine-under-test.ts';

const yes: Answer = { action: 'accept' };

describe.each(databasesByTurns)('what is kept ahead of a question, on $name', ({ place }) => {
  /** A run whose first step fails once, after which it asks. */
  function failingOnce(place: () => ReturnType<(typeof databasesByTurns)[number]['place']>) {
    const data = place();
    let isMended = false;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const kind = kindOf(async (_: { of?: string }, run: RunContext) => {
      await run.step('before', async () => {
        await held;
        if (!isMended) throw new ToolError('NEXUS_CONFLICT', 'not now');
      });
      return run.ask('q', { message: 'Go?' });
    });
    const process = startEngine(data, [kind]);
    const failed = async () => {
      const { id } = await process.runs.start(kind, {});
      await process.runs.answer(id, yes, { question: 'q' });
      release();
      expect((await ended(process.runs, id)).status).toBe('failed');
      isMended = true;
      return id;
    };
    const over = async () => {
      await process[Symbol.asyncDispose]();
      await data[Symbol.asyncDispose]();
    };
    return { runs: process.runs, failed, [Symbol.asyncDispose]: over };
  }

  it.each(['takeUp', 'rerun'] as const)(
    'goes on with its run, by %s, and is of one run alone',
    async (how) => {
      await using process = failingOnce(place);
      const { runs } = process;
      const id = await process.failed();
      const { id: next } = await runs[how](id);
      await expect.poll(() => runs.get(next)).toMatchObject({ status: 'completed', output: yes });
      const { id: another } = await runs.rerun(id);
      await expect.poll(async () => (await runs.get(another)).asks?.length).toBe(1);
    },
  );

  it('is not said of another input', async () => {
    await using process = failingOnce(place);
    const { runs } = process;
    const { id } = await runs.rerun(await process.failed(), { input: { of: 'another' } });
    await expect.poll(async () => (await runs.get(id)).asks?.length).toBe(1);
  });
});
