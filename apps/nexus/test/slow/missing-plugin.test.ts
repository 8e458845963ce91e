import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { changeConfig } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { type SharedProject, shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp } from '../harness/verifies.ts';

const PATIENCE = { timeout: 30_000 };

async function untilNoted(project: SharedProject, note: string): Promise<void> {
  const file = join(project.dataDir, 'notes.txt');
  await vi.waitFor(async () => expect(await readFile(file, 'utf8')).toContain(note), PATIENCE);
}

async function shows(project: SharedProject, command: readonly string[], words: RegExp): Promise<void> {
  await vi.waitFor(async () => {
    expect((await runNexus(project, [...command])).stdout).toMatch(words);
  }, PATIENCE);
}

slowlyVerifiesApp(
  'command.runs',
  'work of a plugin that is gone waits, says for what, and goes on once the plugin is back',
  async () => {
    await using project = await shareProject({ slowPlugin: true });
    const first = await project.host();
    const begun = await first.session.call('slow_run', {});
    const runId = String(begun.result.structuredContent.runId);
    const started = await first.session.call('slow_job', { note: 'left', ms: 5_000, dispatch: 'async' });
    const jobId = String(started.result.structuredContent.jobId);
    await untilNoted(project, 'left');
    first.child.kill('SIGKILL');
    await first.exit();

    await changeConfig(project, { plugins: [] });
    const without = await project.host();
    await runNexus(project, ['runs', 'answer', runId, 'yes', '--question', 'publish']);
    await shows(project, ['runs'], /queued .*It waits for a server that has the plugin "slow"/);
    await shows(
      project,
      ['jobs'],
      /queued .*slow_job .*It waits for a server that has the plugin of the tool slow_job/,
    );
    const { stdout } = await runNexus(project, ['doctor']);
    expect(stdout).toMatch(/^warn +Runs: 1 job of the tool slow_job, which no plugin has$/m);
    expect(stdout).toMatch(/^ +1 run of slow\.publish, version 1, which no plugin has$/m);
    expect(stdout).toMatch(/^ +fix: put the plugin back into the config.*nexus runs cancel/m);
    without.child.kill('SIGKILL');
    await without.exit();

    await changeConfig(project, { plugins: ['./slow-plugin.mjs'] });
    const { session } = await project.host();
    const done = await session.call('get_job_result', { jobId, waitMs: 30_000 });
    expect(done.result.structuredContent).toMatchObject({ status: 'completed', result: { note: 'left' } });
    await shows(project, ['runs', runId], /completed/);
    expect((await runNexus(project, ['doctor'])).stdout).toMatch(
      /^ok +Runs: none waits for a plugin that is not there$/m,
    );
  },
);
