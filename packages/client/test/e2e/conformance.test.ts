import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/**
 * All client scenarios of the suite but three extensions for clients that are machines of an account of
 * their own, which the config has no place for: `auth/client-credentials-jwt`, `auth/client-credentials-basic`
 * (SEP-1046) and `auth/cross-app-access-complete-flow` (SEP-990).
 */
const SCENARIOS = [
  'initialize',
  'tools_call',
  'elicitation-sep1034-client-defaults',
  'sse-retry',
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/basic-cimd',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
  'auth/pre-registration',
  'auth/2025-03-26-oauth-metadata-backcompat',
  'auth/2025-03-26-oauth-endpoint-fallback',
  'auth/resource-mismatch',
  'auth/offline-access-scope',
  'auth/offline-access-not-supported',
];

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const shim = path('../../../../apps/nexus/test/fixtures/fs-with-glob/register.mjs');
// Inside the package, where its dependencies are found.
const client = path(`../../node_modules/.cache/conformance-client-${process.pid}.mjs`);

beforeAll(async () => {
  await build({
    entryPoints: [path('../programs/conformance-client.ts')],
    outfile: client,
    bundle: true,
    // CommonJS packages inside the bundle call it.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'error',
  });
});
afterAll(() => rm(client, { force: true }));

describe.concurrent('the official conformance suite', () => {
  it.each(SCENARIOS)('passes every check of %s', async (scenario) => {
    const results = await mkdtemp(join(tmpdir(), 'nexus-conformance-'));
    const args = ['client', '--command', `${process.execPath} ${client}`, '--scenario', scenario];
    const { code, stdout } = await run(['--import', shim, suite, ...args, '--output-dir', results]);
    const checks = await readChecks(results);
    await rm(results, { recursive: true });
    expect(checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')).toEqual([]);
    expect(code, stdout).toBe(0);
    expect(checks.some(({ status }) => status === 'SUCCESS')).toBe(true);
  });
});

async function run(args: readonly string[]): Promise<{ code: number; stdout: string }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return { code: 0, stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, stdout };
  }
}

async function readChecks(folder: string): Promise<Check[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('checks.json'));
  const lists = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8')) as Check[]),
  );
  return lists.flat();
}
