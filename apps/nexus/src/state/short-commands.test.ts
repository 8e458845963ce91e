import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { withFetching } from '../fetching/with-fetching.ts';
import { loadConfig } from '../loaded-config/load-config.ts';
import { withModels } from '../models/with-models.ts';
import { stateUsers } from './state-users.ts';

it.each([
  ['models', withModels],
  ['sources', withFetching],
] as const)('a command that asks for %s is seen to use the state until it has ended', async (_, withThem) => {
  const data = mkdtempSync(join(tmpdir(), 'nexus-short-'));
  vi.stubEnv('NEXUS_DATA_DIR', data);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(data, { recursive: true });
  });
  const { dataDir } = await loadConfig({});
  const seen = await withThem(undefined, () => stateUsers(dataDir));
  expect(seen).toMatchObject([{ pid: process.pid }]);
  expect(await stateUsers(dataDir)).toEqual([]);
});
