import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect } from 'vitest';
import { testDir } from '../harness/app.ts';
import { startHttpServer } from '../harness/http-server.ts';
import { makeProject } from '../harness/project.ts';
import { run } from '../harness/run-nexus.ts';
import { verifiesApp } from '../harness/verifies.ts';

const SUITE_TIMEOUT_MS = 180_000;
/** Shorter than the suite's one long call, so that its client has to come back for the answer. */
const MAX_STREAM_MS = 700;

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const shim = join(testDir, 'fixtures/fs-with-glob/register.mjs');

verifiesApp(
  'http.conformance',
  'passes every check of the official conformance suite',
  async () => {
    const config = { plugins: ['./conformance-plugin.mjs'], http: { maxStreamMs: MAX_STREAM_MS } };
    await using project = await makeProject({ config });
    await build({
      entryPoints: [join(testDir, 'fixtures/conformance-plugin/index.ts')],
      outfile: project.path('conformance-plugin.mjs'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
    });
    // The suite sends no token.
    await using server = await startHttpServer(project, { args: ['--no-auth'] });
    const results = await mkdtemp(join(tmpdir(), 'nexus-conformance-'));
    const args = ['server', '--url', server.url, '--suite', 'all', '--output-dir', results];
    const { exitCode, stdout } = await run(project, process.execPath, ['--import', shim, suite, ...args]);
    const checks = await readChecks(results);
    await rm(results, { recursive: true });
    expect(checks.filter(({ status }) => !['SUCCESS', 'INFO'].includes(status))).toEqual([]);
    expect(exitCode, stdout).toBe(0);
    expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThanOrEqual(46);
  },
  SUITE_TIMEOUT_MS,
);

async function readChecks(folder: string): Promise<Check[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('checks.json'));
  const lists = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8')) as Check[]),
  );
  return lists.flat();
}
