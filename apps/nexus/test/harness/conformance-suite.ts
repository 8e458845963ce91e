import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testDir } from './app.ts';
import { type Finished, run } from './run-nexus.ts';

/** One check of the suite. */
export interface Check {
  readonly id: string;
  readonly scenario: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const shim = join(testDir, 'fixtures/fs-with-glob/register.mjs');

/** Runs every server scenario of the official conformance suite; it sends no token. */
export async function runConformanceSuite(
  url: string,
  { root, env }: Parameters<typeof run>[0],
): Promise<Finished & { readonly checks: readonly Check[] }> {
  const results = await mkdtemp(join(tmpdir(), 'nexus-conformance-'));
  try {
    const args = ['server', '--url', url, '--suite', 'all', '--output-dir', results];
    const finished = await run({ root, env }, process.execPath, ['--import', shim, suite, ...args]);
    return { ...finished, checks: await readChecks(results) };
  } finally {
    await rm(results, { recursive: true });
  }
}

export function didPass({ status }: Check): boolean {
  return status === 'SUCCESS';
}

/** Neither passed nor only told of. */
export function didNotPass({ status }: Check): boolean {
  return status !== 'SUCCESS' && status !== 'INFO';
}

/** The suite writes a folder for each scenario, named after it and the time. */
async function readChecks(results: string): Promise<Check[]> {
  const lists = await Promise.all(
    (await readdir(results)).map(async (folder) => {
      const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(folder)?.[1] ?? folder;
      const text = await readFile(join(results, folder, 'checks.json'), 'utf8');
      return (JSON.parse(text) as Omit<Check, 'scenario'>[]).map((check) => ({ ...check, scenario }));
    }),
  );
  return lists.flat();
}
