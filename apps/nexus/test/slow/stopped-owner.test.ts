import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres, type PostgresServer, startPostgres } from '@nexus/testing';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bin } from '../harness/app.ts';
import { PATIENCE } from '../harness/expert-kill.ts';
import { rowsOfNext } from '../harness/postgres-record.ts';
import type { Project } from '../harness/project.ts';
import { finishedKeys, type ReadRows, rowsOf, runOf } from '../harness/run-record.ts';
import { shareProject } from '../harness/shared-project.ts';
import { SUBJECTS, WORKFLOW_FILES, workflowTeam } from '../harness/workflow-kill.ts';

const STOPPED_MS = 60_000;
/** Longer than the lease of a process that says nothing, and shorter than this one is stopped. */
const REPLACED_WITHIN = { timeout: 50_000, interval: 500 };
/** In the second of three calls side by side and after each other. */
const AT = 2;

const binaries = findPostgres();
let postgres: PostgresServer | undefined;
beforeAll(async () => {
  postgres = binaries ? await startPostgres(binaries) : undefined;
});
afterAll(() => postgres?.stop());

async function places(): Promise<{ databaseUrl?: string; read?: ReadRows }> {
  if (!postgres) throw new Error('no Postgres');
  const databaseUrl = await postgres.createSchema();
  const read = await rowsOfNext(postgres);
  return { databaseUrl, read };
}

describe.skipIf(process.platform === 'win32')('a server that is stopped for a minute', () => {
  it('is replaced by a bridge, and pays nothing when it goes on', async () => {
    await stopOwner({});
  });

  it.skipIf(!binaries)('is replaced by a bridge, and pays nothing when it goes on, on Postgres', async () => {
    await stopOwner(await places());
  });
});

it.skipIf(process.platform === 'win32')(
  'a server without a host that was replaced while it was stopped says so, and ends in order',
  async () => {
    await using project = await shareProject({});
    const server = project.start({ command: process.execPath, args: [bin, 'serve'] });
    await vi.waitFor(() => expect(server.stderr()).toContain('Nexus serves'), PATIENCE);
    const bridge = await project.host();
    server.child.kill('SIGSTOP');
    try {
      await vi.waitFor(async () => expect(await project.owners()).toEqual([bridge.pid]), REPLACED_WITHIN);
    } finally {
      server.child.kill('SIGCONT');
    }
    expect(await server.exit()).toMatchObject({ code: 0 });
    expect(server.stderr()).toContain('another process serves the project since');
  },
);

async function stopOwner({ databaseUrl, read: given }: { databaseUrl?: string; read?: ReadRows }) {
  const { tool, args, kind, answer } = SUBJECTS['a workflow'];
  let isStopped = false;
  await using team = await workflowTeam(({ count }) => !isStopped && count >= AT);
  await using project = await shareProject({
    files: WORKFLOW_FILES,
    env: { ...team.env, ...(databaseUrl === undefined ? {} : { NEXUS_DATABASE_URL: databaseUrl }) },
  });
  const first = await project.host();
  const bridge = await project.host();
  const read = given ?? rowsOf(project);
  bridge.session.call(tool, { ...args }).catch(() => {});
  await vi.waitFor(() => expect(team.asked.length).toBeGreaterThanOrEqual(AT), PATIENCE);
  // Long enough for what came before to be on record.
  await sleep(500);
  await stopBetweenWrites(first.child, databaseUrl === undefined ? project : undefined);
  isStopped = true;
  const stoppedAt = performance.now();
  const finished = await finishedKeys(read);
  const before = team.asked.length;
  try {
    await vi.waitFor(async () => expect(await project.owners()).toEqual([bridge.pid]), REPLACED_WITHIN);
    const run = await runOf(read, kind);
    const { result } = await bridge.session.call('resume_run', { runId: run?.id });
    expect(result.structuredContent, JSON.stringify(result)).toMatchObject({ runId: run?.id, ...answer });
    const again = team.asked.slice(before).map(({ key }) => key);
    expect(again.filter((key) => finished.has(key))).toEqual([]);
    await sleep(Math.max(0, STOPPED_MS - (performance.now() - stoppedAt)));
    const paid = team.asked.length;
    first.child.kill('SIGCONT');
    // Its own host is still served, and nobody else by it.
    const { result: listed } = await first.session.call('list_jobs', {});
    expect(listed.isError ?? false, JSON.stringify(listed)).toBe(false);
    await sleep(10_000);
    expect(team.asked.slice(paid)).toEqual([]);
    expect(await project.owners()).toEqual([bridge.pid]);
  } finally {
    first.child.kill('SIGCONT');
  }
}

/** In the middle of a write it would have SQLite's lock, which nothing takes from it (docs/runs.md). */
async function stopBetweenWrites(child: ChildProcess, project: Pick<Project, 'dataDir'> | undefined) {
  await vi.waitFor(async () => {
    child.kill('SIGSTOP');
    if (!project) return;
    try {
      writeNothing(project);
    } catch (error) {
      child.kill('SIGCONT');
      throw error;
    }
  }, PATIENCE);
}

function writeNothing({ dataDir }: Pick<Project, 'dataDir'>): void {
  const database = new Database(join(dataDir, 'nexus.sqlite'), { timeout: 2_000 });
  try {
    database.exec('begin immediate');
    database.exec('rollback');
  } finally {
    database.close();
  }
}
