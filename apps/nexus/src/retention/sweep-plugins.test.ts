import bus from '@nexus/plugin-bus';
import consensus from '@nexus/plugin-consensus';
import experts from '@nexus/plugin-experts';
import memory from '@nexus/plugin-memory';
import { type AnyPlugin, isSwept } from '@nexus/plugin-sdk';
import { type OpenStore, sweepOnce } from '@nexus/store';
import {
  findPostgres,
  type PluginUnderTest,
  type PostgresServer,
  scriptedModels,
  startPlugin,
  startPostgres,
} from '@nexus/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const binaries = findPostgres();
let postgres: PostgresServer | undefined;
beforeAll(async () => {
  postgres = binaries === undefined ? undefined : await startPostgres(binaries);
});
afterAll(() => postgres?.stop());

const YEARS_MS = 6 * 365 * 86_400_000;

describe.each(binaries === undefined ? ['SQLite'] : ['SQLite', 'Postgres'])(
  'what a sweep takes of plugins, on %s',
  (name) => {
    /** What is left in a plugin's tables years after it was used. */
    async function leftOf(
      plugin: AnyPlugin,
      use: (started: PluginUnderTest) => Promise<unknown>,
      useAgain: (started: PluginUnderTest) => Promise<unknown> = async () => {},
    ) {
      let aheadMs = 0;
      const databaseUrl = name === 'Postgres' ? await postgres?.createSchema() : undefined;
      const started = await startPlugin(plugin, {
        models: scriptedModels(() => ({ object: { reasoning: 'So.', decision: 'approve', confidence: 1 } })),
        testClock: () => Date.now() + aheadMs,
        ...(databaseUrl === undefined ? {} : { databaseUrl }),
      });
      try {
        await use(started);
        aheadMs = YEARS_MS;
        await useAgain(started);
        const retention = plugin.retention ?? [];
        const store = { ...started.host.store, shrink: async () => {} } as OpenStore;
        await sweepOnce({ store, retention });
        const db = await store.open<Record<string, object>>('test', []);
        const tables = new Set(
          retention.flatMap((each) => [
            each.table,
            ...(isSwept(each) ? (each.parts ?? []).map((part) => part.table) : []),
          ]),
        );
        const counts: [string, number][] = [];
        for (const table of tables) {
          const { n } = await db
            .selectFrom(table)
            .select(({ fn }) => fn.countAll<number>().as('n'))
            .executeTakeFirstOrThrow();
          counts.push([table, Number(n)]);
        }
        return Object.fromEntries(counts);
      } finally {
        await started.stop();
      }
    }

    it('the bus keeps what is open, and what that needs', async () => {
      const left = await leftOf(bus, async ({ answer }) => {
        const submit = async (more: object = {}) =>
          String((await answer('submit_task', { title: 'x', payload: 1, ...more })).taskId);
        const finish = async () => {
          const { task } = await answer<{ task: { leaseId: string } }>('poll_task', { worker: 'w' });
          await answer('complete_task', { leaseId: task.leaseId, result: 1 });
        };
        const noted = async (taskId: string) => void (await answer('update_task', { taskId, note: 'n' }));
        await noted(await submit({ capabilities: [] }));
        await finish();
        const needed = await submit();
        await finish();
        await noted(needed);
        await submit({ dependsOn: [needed] });
        await answer('register_worker', { name: 'v' });
        await answer('send_message', { from: 'w', to: 'v', body: 'x' });
        await answer('fetch_inbox', { worker: 'v' });
        await answer('reserve_files', { worker: 'w', globs: ['src/**'] });
      });
      expect(left).toEqual({
        bus_tasks: 2,
        bus_task_capabilities: 0,
        bus_task_dependencies: 1,
        bus_attempts: 1,
        bus_notes: 1,
        bus_messages: 0,
        bus_deliveries: 0,
        bus_batches: 0,
        bus_workers: 0,
        bus_reservations: 0,
        bus_guards: 1,
      });
    });

    it('votes go with their ballots', async () => {
      const left = await leftOf(consensus, async ({ answer }) => {
        await answer('consensus_vote', { proposal: 'Use it.', quickMode: true });
      });
      expect(left).toEqual({ consensus_votes: 0, consensus_ballots: 0 });
    });

    it('experts are counted from their last use', async () => {
      let expertId = '';
      const left = await leftOf(experts, async ({ answer }) => {
        await answer('create_expert', { role: 'qa' });
      });
      expect(left).toEqual({ experts_created: 0 });
      const used = await leftOf(
        experts,
        async ({ answer }) => {
          ({ expertId } = await answer<{ expertId: string }>('create_expert', { role: 'qa' }));
        },
        async ({ answer }) => {
          await answer('execute_expert', { expertId, task: 'Look.' });
        },
      );
      expect(used).toEqual({ experts_created: 1 });
    });

    it('memory is forgotten with its words and what it held before', async () => {
      const left = await leftOf(memory, async ({ answer }) => {
        for (const backend of ['session', 'belief']) {
          for (const value of ['first words', 'second words'])
            await answer('memory_write', { backend, key: 'k', value });
        }
      });
      expect(left).toEqual({ memory_entries: 0, memory_search: 0, memory_versions: 0 });
    });
  },
);
