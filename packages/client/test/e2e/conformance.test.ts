import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/**
 * All client scenarios of the suite, as many by one process of it as it takes, but three extensions for clients that are machines of an account of
 * their own, which the config has no place for: `auth/client-credentials-jwt`, `auth/client-credentials-basic`
 * (SEP-1046) and `auth/cross-app-access-complete-flow` (SEP-990).
 */
const RUNS: readonly (readonly [
  option: '--suite' | '--scenario',
  name: string,
  scenarios: readonly string[],
])[] = [
  ['--scenario', 'initialize', ['initialize']],
  ['--scenario', 'tools_call', ['tools_call']],
  ['--scenario', 'elicitation-sep1034-client-defaults', ['elicitation-sep1034-client-defaults']],
  ['--scenario', 'sse-retry', ['sse-retry']],
  [
    '--suite',
    'auth',
    [
      'auth/basic-cimd',
      'auth/metadata-default',
      'auth/metadata-var1',
      'auth/metadata-var2',
      'auth/metadata-var3',
      'auth/pre-registration',
      'auth/scope-from-scopes-supported',
      'auth/scope-from-www-authenticate',
      'auth/scope-omitted-when-undefined',
      'auth/scope-retry-limit',
      'auth/scope-step-up',
      'auth/token-endpoint-auth-basic',
      'auth/token-endpoint-auth-none',
      'auth/token-endpoint-auth-post',
    ],
  ],
  [
    '--suite',
    'backcompat',
    ['auth/2025-03-26-oauth-endpoint-fallback', 'auth/2025-03-26-oauth-metadata-backcompat'],
  ],
  [
    '--suite',
    'draft',
    ['auth/offline-access-not-supported', 'auth/offline-access-scope', 'auth/resource-mismatch'],
  ],
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
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'error',
  });
});
afterAll(() => rm(client, { force: true }));

describe('the official conformance suite', () => {
  it.each(RUNS)('passes every check of %s %s', async (option, name, scenarios) => {
    const results = await mkdtemp(join(tmpdir(), 'nexus-conformance-'));
    const args = ['client', '--command', `${process.execPath} ${client}`, option, name];
    const { code, stdout } = await run(['--import', shim, suite, ...args, '--output-dir', results]);
    const checks = await readChecks(results);
    await rm(results, { recursive: true });
    expect([...checks.keys()].sort()).toEqual(scenarios);
    for (const [scenario, ofScenario] of checks) {
      const bad = ofScenario.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
      expect(bad, scenario).toEqual([]);
      expect(
        ofScenario.some(({ status }) => status === 'SUCCESS'),
        scenario,
      ).toBe(true);
    }
    expect(code, stdout).toBe(0);
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

/** The checks of each scenario, from a folder for each that is named after it and when it ran. */
async function readChecks(folder: string): Promise<Map<string, Check[]>> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('checks.json'));
  const read = files.map(async (file) => {
    const scenario = dirname(file)
      .split(sep)
      .join('/')
      .replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    return [scenario, JSON.parse(await readFile(join(folder, file), 'utf8')) as Check[]] as const;
  });
  return new Map(await Promise.all(read));
}
