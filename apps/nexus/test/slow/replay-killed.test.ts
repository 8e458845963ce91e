import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { bin } from '../harness/app.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { rowsOf } from '../harness/run-record.ts';
import { type SharedProject, shareProject } from '../harness/shared-project.ts';
import { slowlyVerifiesApp } from '../harness/verifies.ts';

/** Fails until there is the file; what a run writes down after that shows whether it was done twice. */
const WORKFLOW = `
name: later
description: Reads and notes.
inputs: [{ name: who, required: true, description: Who. }]
steps:
  - { id: read, uses: 'tool:read_file', with: { path: later.txt } }
  - { id: note, uses: 'tool:slow_note', with: { note: '\${{ inputs.who }}', ms: 20 } }
`;
const FAILED = 6;
const REPLAY = ['runs', 'replay', '--error', 'NEXUS_NOT_FOUND', '--yes'];

interface Run {
  readonly id: string;
  readonly status: string;
  readonly rerunOf: string | null;
  readonly error: string | null;
}

const runsOf = async (project: SharedProject) =>
  (await rowsOf(project)(
    `select id, status, rerun_of as rerunOf, error from runs_runs where kind like 'workflows.%'`,
  )) as unknown as Run[];

/** Ends it in the middle, when it has told of so many; on a slow machine it may have begun more by then. */
async function killAt(project: SharedProject, begun: number): Promise<void> {
  const child = spawn(process.execPath, [bin, ...REPLAY], {
    cwd: project.root,
    env: project.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let told = '';
  for await (const chunk of child.stdout) {
    told += String(chunk);
    if (told.split(' goes on in ').length > begun) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function replayWhileKilled({ isServed }: { readonly isServed: boolean }): Promise<void> {
  await using project = await shareProject({
    slowPlugin: true,
    files: { '.nexus/workflows/later.yaml': WORKFLOW },
  });
  const first = await project.host();
  for (let at = 0; at < FAILED; at += 1) {
    const { result } = await first.session.call('run_workflow', {
      template: 'later',
      inputs: { who: `n${at}` },
    });
    expect(result.isError, JSON.stringify(result)).toBe(true);
  }
  const failed = await runsOf(project);
  expect(failed.map(({ status }) => status)).toEqual(Array(FAILED).fill('failed'));
  if (!isServed) await first[Symbol.asyncDispose]();
  writeFileSync(project.path('later.txt'), 'there\n');

  for (const begun of [1, 1]) await killAt(project, begun);
  const rest = await runNexus(project, REPLAY);
  expect(rest.exitCode, rest.stderr).toBe(0);
  if (!isServed) await project.host();

  await vi.waitFor(
    async () => {
      const reruns = (await runsOf(project)).filter(({ rerunOf }) => rerunOf !== null);
      expect(reruns.map(({ rerunOf }) => rerunOf).sort()).toEqual(failed.map(({ id }) => id).sort());
      // A kill in the middle of a note leaves nobody knowing whether it was written.
      for (const { status, error } of reruns)
        if (status !== 'completed') expect(error).toContain('NEXUS_OUTCOME_UNKNOWN');
    },
    { timeout: 30_000, interval: 500 },
  );
  const notes = readFileSync(join(project.dataDir, 'notes.txt'), 'utf8').trim().split('\n');
  expect(notes.sort()).toEqual(Array.from({ length: FAILED }, (_, at) => `n${at}`));
}

const PATIENCE_MS = 120_000;

slowlyVerifiesApp(
  'command.runs',
  'has each failed run go on once, though the command is killed time and again',
  () => replayWhileKilled({ isServed: false }),
  PATIENCE_MS,
);

slowlyVerifiesApp(
  'command.runs',
  'has each failed run go on once, though the command is killed while a server does the work',
  () => replayWhileKilled({ isServed: true }),
  PATIENCE_MS,
);
