import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres, type PostgresServer, startPostgres } from '@nexus/testing';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { NO_MODELS } from '../harness/expert-team.ts';
import { rowsOfNext } from '../harness/postgres-record.ts';
import { shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp } from '../harness/verifies.ts';

/** Reads, writes and sends side by side, and then by a tool that may neither be made twice nor says what it did. */
const WORKFLOW = `
name: writes
description: Works with the project's own tables.
steps:
  - { id: read, uses: 'tool:memory_query', with: { query: note } }
  - { id: note, uses: 'tool:memory_write', with: { backend: session, key: note, value: written } }
  - { id: send, uses: 'tool:send_message', with: { from: ann, to: bob, body: written } }
outputs: { version: '\${{ steps.note.output.version }}' }
`;
const POLLING = `
name: polls
description: Takes a task.
steps:
  - { id: take, uses: 'tool:poll_task', retries: 2, with: { worker: bob } }
`;

const binaries = findPostgres();

describe.skipIf(!binaries)('Postgres that is restarted under the tools of a workflow', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres(binaries ?? '');
  });
  afterAll(() => postgres?.stop());

  async function setUp() {
    const read = await rowsOfNext(postgres);
    const project = await shareProject({
      files: { '.nexus/workflows/writes.yaml': WORKFLOW, '.nexus/workflows/polls.yaml': POLLING },
      env: { ...NO_MODELS, NEXUS_DATABASE_URL: await postgres.createSchema() },
    });
    const { session } = await project.host();
    const answer = async (tool: string, args: Readonly<Record<string, unknown>>) => {
      const { result } = await session.call(tool, { ...args });
      return result;
    };
    for (const name of ['ann', 'bob']) await answer('register_worker', { name });
    // Its tables are made by what is written first.
    await answer('memory_write', { backend: 'session', key: 'first', value: 'before' });
    await vi.waitFor(() => read('select 1 from runs_runs'), 20_000);
    /** Starts a workflow, and keeps it in the middle of the statements, as many as said, until the server is gone. */
    async function inTheMiddleOf(
      template: string,
      statements: { count: number; like: string; mode: string },
    ) {
      const { count, like, mode } = statements;
      const admin = await postgres.connect();
      admin.on('error', () => {});
      const [found] = await read(`select current_schema() as name`);
      await admin.query(
        `begin; set local search_path to ${found?.name}; lock table memory_entries, bus_deliveries, bus_tasks in ${mode} mode`,
      );
      const working = answer('run_workflow', { template });
      await vi.waitFor(async () => {
        const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '${like}'`;
        expect((await read(waiting)).length).toBeGreaterThanOrEqual(count);
      }, 20_000);
      return { working };
    }
    return {
      read,
      answer,
      inTheMiddleOf,
      [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
    };
  }

  for (const { how, awayMs, end } of [
    { how: 'in good order', awayMs: 0, end: 'shutDown' },
    { how: 'at once', awayMs: 0, end: 'crash' },
    { how: 'and is away for a while', awayMs: 4_000, end: 'shutDown' },
  ] as const) {
    const costsNothing = async () => {
      await using project = await setUp();
      const { inTheMiddleOf, read } = project;
      const each = { count: 3, like: '%', mode: 'access exclusive' };
      const { working } = await inTheMiddleOf('writes', each);
      await postgres[end]();
      // How long it is away is what is tried here, and nothing is waited for by it.
      await sleep(awayMs);
      await postgres.restart();
      expect(await working).toMatchObject({
        structuredContent: { status: 'completed', output: { version: 1 } },
      });
      expect(await read(`select value from memory_entries where value <> 'before'`)).toEqual([
        { value: 'written' },
      ]);
      expect(await read(`select recipient from bus_deliveries`)).toEqual([{ recipient: 'bob' }]);
    };
    slowlyVerifiesApp('workflows.store-away', `${how} costs none of its steps anything`, costsNothing);
  }

  // By a crash: a shut-down may end who has the table locked first, and so let the write through.
  slowlyVerifiesApp(
    'workflows.store-away',
    'leaves a step whose write has no answer with an outcome that nobody knows, and not done twice',
    async () => {
      await using project = await setUp();
      const { answer, inTheMiddleOf, read } = project;
      await answer('submit_task', { title: 'work', payload: null });
      // It reads before, and writes in one statement that is no part of a transaction.
      const write = { count: 1, like: 'update "bus_tasks" set "status"%', mode: 'share' };
      const { working } = await inTheMiddleOf('polls', write);
      await postgres.crash();
      await postgres.restart();
      const said = JSON.stringify(await working);
      expect(said).toContain('NEXUS_OUTCOME_UNKNOWN');
      expect(said).toContain('nobody knows whether it has done its work');
      // Whatever the file says of retries: it was asked for once.
      const attempts = await read(`select attempt from runs_steps where name like '%call'`);
      expect(attempts).toMatchObject([{ attempt: 1 }]);
    },
  );
});
