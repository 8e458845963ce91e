import { join } from 'node:path';
import Database from 'libsql';
import { expect, vi } from 'vitest';
import { NO_MODELS } from '../harness/expert-team.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { rowsOf } from '../harness/run-record.ts';
import { shareProject } from '../harness/shared-project.ts';
import { verifiesApp } from '../harness/verifies.ts';

const PATIENCE = { timeout: 40_000 };
const FILE = '.nexus/workflows/nightly.yaml';
/** Two minutes ago, each day: once in this test, whenever that is run. */
const then = new Date(Date.now() - 120_000);
const CRON = `${then.getUTCMinutes()} ${then.getUTCHours()} * * *`;
const WORKFLOW = `
name: nightly
description: Notes that it ran.
inputs: [{ name: what, required: true, description: What. }]
schedule: { cron: '${CRON}', inputs: { what: minute } }
steps:
  - { id: note, uses: 'tool:memory_write', with: { backend: session, key: ran, value: x } }
`;

verifiesApp(
  'workflows.schedule',
  'a schedule begins nothing before its user trusts it, and then each of its times once, through a kill -9',
  async () => {
    await using project = await shareProject({
      files: { [FILE]: WORKFLOW },
      env: { ...NO_MODELS, NEXUS_TRUST: '' },
    });
    const read = rowsOf(project);
    const runs = () => read(`select status from runs_runs where kind = 'workflows.workflow'`);
    let server = await project.host();
    const restart = async () => {
      server.child.kill('SIGKILL');
      await server.exit();
      server = await project.host();
    };
    const listed = await server.session.call('list_workflows', { format: 'names', category: 'custom' });
    expect(listed.result.structuredContent.workflows).toMatchObject([
      {
        file: FILE,
        schedule: { cron: CRON, timezone: 'UTC', next: expect.stringMatching(/:00\.000Z$/) },
      },
    ]);
    const shown = await runNexus(project, ['trust']);
    expect(shown.stdout).toContain(`runs ${FILE} by itself, at its times:`);
    expect(await read(`select name from sqlite_master where name = 'schedules_slots'`)).toEqual([]);
    const trusted = await runNexus(project, ['trust', '--yes']);
    expect(trusted.exitCode, trusted.stderr).toBe(0);
    // It would look by itself within half a minute.
    await restart();
    await vi.waitFor(
      async () => expect(await read('select * from schedules_slots')).toHaveLength(1),
      PATIENCE,
    );
    await restart();
    // As if its last time had been a while ago, which is quicker than to wait for the next.
    const database = new Database(join(project.dataDir, 'nexus.sqlite'));
    database.exec(`update schedules_slots set slot = slot - 600000`);
    database.close();
    await vi.waitFor(async () => expect(await runs()).toEqual([{ status: 'completed' }]), PATIENCE);
    await restart();
    await vi.waitFor(async () => {
      const [row] = await read('select slot from schedules_slots');
      expect(new Date(Number(row?.slot)).getUTCMinutes()).toBe(then.getUTCMinutes());
    }, PATIENCE);
    expect(await runs()).toHaveLength(1);
  },
);
