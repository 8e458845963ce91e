import { appendFileSync } from 'node:fs';
import {
  type AnyRunKind,
  defineRun,
  type RunContext,
  type Runs,
  type ToolCallResult,
} from '@nexus/plugin-sdk';
import type { EngineOptions } from '../src/index.ts';

const note = (file: string, name: string) => appendFileSync(file, `${name}\n`);

/**
 * Kinds whose every piece of work leaves a line in a file, to be counted whoever did it.
 * @param onTold called whenever a run goes on from its work
 * @param onPaid called whenever an answer that was paid for has come, before anything is made of it
 */
export function killedKinds(
  file: string,
  { onTold = () => {}, onPaid = () => {} } = {},
): readonly AnyRunKind[] {
  const work = async (run: RunContext, name: string) => {
    const said = await run.step(name, () => {
      note(file, name);
      return name;
    });
    onTold();
    return said;
  };
  const child = defineRun({
    name: 'killed.child',
    version: 1,
    run: async (_: null, run) => [await work(run, 'child-1'), await work(run, 'child-2')],
  });
  const called = defineRun({
    name: 'killed.called',
    version: 1,
    run: async (_: null, run) => [await work(run, 'called-1'), await work(run, 'called-2')],
  });
  const parent = defineRun({
    name: 'killed.parent',
    version: 1,
    async run(_: null, run) {
      const first = await work(run, 'first');
      const both = await run.parallel(['left', 'right'].map((name) => () => work(run, name)));
      const deep = await run.child('child', child, null);
      const far = await run.step('call', async ({ tools }) => {
        const { structuredContent } = await tools.call('begin', {});
        return structuredContent?.output;
      });
      await run.sleep('nap', 1);
      await run.event('said', { first });
      return [first, ...both, ...(deep as string[]), ...(far as string[]), await work(run, 'last')];
    },
  });
  const paid = defineRun({
    name: 'killed.paid',
    version: 1,
    run: (_: null, run) =>
      run.step('asks', async ({ ledger }) => {
        const answers: unknown[] = [];
        for (const asked of PAID) {
          const held = await ledger.reserve({ tokens: 100, costUsd: 0 }, 'a call', { asked });
          if (!held.answer) {
            note(file, asked);
            await held.settle({ tokens: 10, costUsd: 0 }, asked);
            onPaid();
          }
          answers.push(held.answer?.value ?? asked);
        }
        return answers;
      }),
  });
  return [parent, child, called, paid];
}

/** Calls of one step, each paid for. */
export const PAID = ['asked-1', 'asked-2', 'asked-3'];

export const WHOLE = ['first', 'left', 'right', 'child-1', 'child-2', 'called-1', 'called-2', 'last'];

/** The work of a job. */
export const JOB = ['job'];

/** What a process of these kinds has besides: a tool that starts a run for its call, and the job's call. */
export function killedCalls(file: string, runs: () => Runs): Pick<EngineOptions, 'tools' | 'rerun'> {
  return {
    tools: ({ id }, { step, signal }) => ({
      list: () => [],
      find: () => undefined,
      check: async () => [],
      async call(_name, { _meta }) {
        const { 'nexus/idempotencyKey': key = '' } = Object(_meta) as Record<string, string>;
        const caller = { session: { id: 's' }, run: { id, step } };
        const run = await runs().start({ name: 'killed.called', version: 1 }, null, { caller, key });
        const { output } = await runs().wait(run.id, { signal });
        return { content: [], structuredContent: { output } };
      },
    }),
    rerun: () => jobCall(file),
  };
}

export async function jobCall(file: string): Promise<ToolCallResult> {
  note(file, 'job');
  return { content: [], structuredContent: { output: JOB } };
}
