import { randomUUID } from 'node:crypto';
import { type PluginTestOptions, type PluginUnderTest, startPlugin } from '@nexus/testing';
import { describe } from 'vitest';
import bus from '../src/index.ts';
import type { Holder } from '../src/session-holds.ts';

const databaseUrl = process.env.NEXUS_TEST_DATABASE_URL;

/** The same tests on SQLite and on Postgres, where they count as skipped when none is installed. */
export function describeOnEach(title: string, tests: (place: PluginTestOptions) => void): void {
  describe(`${title} on SQLite`, () => tests({}));
  const place = databaseUrl === undefined ? {} : { databaseUrl };
  describe.skipIf(databaseUrl === undefined)(`${title} on Postgres`, () => tests(place));
}

/** Of what no session of the test is to end. */
export const nobody: Holder = { id: 'nobody', endsWithSession: false };

export interface LeasedTask {
  readonly taskId: string;
  readonly title: string;
  readonly leaseId: string;
  readonly payload: unknown;
  readonly attempt: number;
}

export interface BusUnderTest extends PluginUnderTest {
  /** Submits and answers the task's id. */
  submit(task?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Polls without waiting; undefined when there is nothing. */
  poll(worker?: string): Promise<LeasedTask | undefined>;
  /** Polls and fails the test when there is nothing. */
  lease(worker?: string): Promise<LeasedTask>;
  status(taskId: string): Promise<{ view: Record<string, unknown>; detail: Record<string, unknown> }>;
  /** The code and the text of the error that the call must end with. */
  refusal(name: string, args: Readonly<Record<string, unknown>>): Promise<{ code: unknown; text: string }>;
}

/** A bus of its own, even on a database that other tests share. */
export async function startBus(test: PluginTestOptions = {}): Promise<BusUnderTest> {
  const plugin = await startPlugin(bus, { ...test, options: { name: randomUUID(), ...test.options } });
  const poll = async (worker = 'z.ai1') => {
    const { task } = await plugin.answer<{ task: LeasedTask | null }>('poll_task', { worker });
    return task ?? undefined;
  };
  return {
    ...plugin,
    poll,
    async submit(task = {}) {
      const request = { title: 'work', payload: null, ...task };
      return (await plugin.answer<{ taskId: string }>('submit_task', request)).taskId;
    },
    async lease(worker) {
      const task = await poll(worker);
      if (!task) throw new Error('there is no task to lease');
      return task;
    },
    async status(taskId) {
      const { tasks, detail } = await plugin.answer<{
        tasks: Record<string, unknown>[];
        detail: Record<string, unknown>;
      }>('task_status', { taskId });
      return { view: tasks[0] ?? {}, detail };
    },
    async refusal(name, args) {
      const result = await plugin.call(name, args);
      if (!result.isError) throw new Error(`${name} was expected to fail`);
      const envelope = result._meta?.['nexus/error'] as { code: unknown } | undefined;
      return { code: envelope?.code, text: result.content.map((block) => block.text ?? '').join('\n') };
    },
  };
}
