import { toErrorResult } from '@nexus/core';
import {
  type RunContext,
  type Runs,
  type ToolCaller,
  type ToolCallResult,
  ToolError,
} from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import {
  counterOf,
  databasesByTurns,
  ended,
  kindOf,
  type Place,
  startEngine,
} from '../../test/engine-under-test.ts';
import type { CallingStep } from './instance-services.ts';

const LOST = 'Nobody knows whether it was paid.';
const UNKNOWN = new ToolError('NEXUS_OUTCOME_UNKNOWN', LOST);
const OWN = 'The office is shut.';
const retry = { attempts: 3, delayMs: 0, isRetryable: () => true };
const inner = { name: 'test.inner', version: 1 };
const session = { id: 's' };

const answer = (error: ToolError): ToolCallResult => toErrorResult(error) ?? expect.unreachable();

/** `pay` comes to an unknown outcome; `begin` starts a run that does, and says something else of it. */
function toolsOf(runs: () => Runs, count: ReturnType<typeof counterOf>) {
  return ({ id }: { id: string }, { step, signal, sayYes }: CallingStep) =>
    ({
      list: () => [],
      find: () => undefined,
      check: async () => [],
      async call(name): Promise<ToolCallResult> {
        count.add(name);
        if (name === 'ask') {
          await sayYes({ message: 'Send it?', subject: { a: 1 } } as never);
          return answer(new ToolError('NEXUS_DENIED', 'not yet'));
        }
        if (name === 'pay') return count.all.pay === 1 ? answer(UNKNOWN) : { content: [] };
        const caller = { session, run: { id, step } };
        const { id: begun } = await runs().start(inner, null, { caller });
        const run = await runs().wait(begun, { signal });
        return run.status === 'completed' ? { content: [] } : answer(new ToolError('NEXUS_UNAVAILABLE', OWN));
      },
    }) satisfies ToolCaller;
}

function start(data: Place, run: (run: RunContext) => Promise<unknown>) {
  const count = counterOf();
  const pays = async (_: unknown, { step }: RunContext) => {
    await step('pays', async ({ tools }) => {
      if ((await tools.call('pay', {})).isError) throw UNKNOWN;
    });
    return 'paid';
  };
  const kinds = [kindOf((_: unknown, context: RunContext) => run(context)), kindOf(pays, inner)];
  const process = startEngine(data, kinds, { tools: toolsOf(() => process.runs, count) });
  return { process, count };
}

const outer = { name: 'test.run', version: 1 };

describe.each(databasesByTurns)('a step whose call is of unknown outcome, on $name', ({ place }) => {
  it.each<[string, (run: RunContext) => Promise<unknown>]>([
    [
      'that throws its own error',
      ({ step }) =>
        step(
          'work',
          async ({ tools }) => {
            if ((await tools.call('pay', {})).isError) throw new Error(OWN, { cause: UNKNOWN });
          },
          { retry },
        ),
    ],
    [
      'that passes it on, and says that each failure may be tried again',
      ({ step }) =>
        step(
          'work',
          async ({ tools }) => {
            if ((await tools.call('pay', {})).isError) throw new ToolError('NEXUS_OUTCOME_UNKNOWN', OWN);
          },
          { retry },
        ),
    ],
    [
      'in a run that its call began, of which the tool says something else',
      ({ step }) =>
        step(
          'work',
          async ({ tools }) => {
            if ((await tools.call('begin', {})).isError) throw new ToolError('NEXUS_UNAVAILABLE', OWN);
          },
          { retry },
        ),
    ],
    [
      'and that asks for a yes after it',
      ({ step }) =>
        step('work', async ({ tools }) => {
          await tools.call('pay', {});
          await tools.call('ask', {}).catch(() => {});
          return 'asked';
        }),
    ],
    [
      'in a run that makes another error of it',
      async ({ step, event }) => {
        try {
          await step('work', async ({ tools }) => {
            if ((await tools.call('pay', {})).isError) throw UNKNOWN;
          });
        } catch {
          await event('given up');
          throw new Error(OWN);
        }
      },
    ],
  ])('%s, ends its run so, and is done again only for who was told', async (_, run) => {
    await using data = place();
    const { process, count } = start(data, run);
    await using _process = process;
    const { runs } = process;
    const { id } = await runs.start(outer, null, { caller: { session } });
    expect(await ended(runs, id)).toMatchObject({
      status: 'failed',
      error: { code: 'NEXUS_OUTCOME_UNKNOWN' },
    });
    expect(count.all.pay).toBe(1);
    await runs.takeUp(id);
    await expect.poll(() => count.all.pay, { timeout: 5_000 }).toBe(2);
  });

  it('has got over it where its run does something more, and fails by that', async () => {
    await using data = place();
    const { process } = start(data, async ({ step }) => {
      await step('work', async ({ tools }) => {
        if ((await tools.call('pay', {})).isError) throw UNKNOWN;
      }).catch(() => {});
      await step('more', () => Promise.reject(new ToolError('NEXUS_UNAVAILABLE', OWN)));
    });
    await using _process = process;
    const { id } = await process.runs.start(outer, null);
    expect(await ended(process.runs, id)).toMatchObject({
      error: { code: 'NEXUS_UNAVAILABLE', message: OWN },
    });
  });

  it('is done where its work gets over it', async () => {
    await using data = place();
    const { process } = start(data, ({ step }) =>
      step('work', async ({ tools }) => ((await tools.call('pay', {})).isError ? 'looked after' : 'paid')),
    );
    await using _process = process;
    const { id } = await process.runs.start(outer, null);
    expect(await ended(process.runs, id)).toMatchObject({ status: 'completed', output: 'looked after' });
  });
});
