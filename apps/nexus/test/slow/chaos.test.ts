import { findPostgres } from '@nexus/testing';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { repoDir } from '../harness/app.ts';

/**
 * Enough runs of every kind that each fault finds some in the middle. How soon an answer is on record is measured by
 * `pnpm chaos` on a quiet machine, which has the other campaigns too; here only what is lost, hung or wrong counts.
 */
async function chaos(campaign: string, runs: number): Promise<void> {
  const args = [
    '--import',
    'tsx',
    'scripts/chaos/cli.ts',
    campaign,
    '--runs',
    String(runs),
    '--window',
    '5000',
  ];
  const { exitCode, all } = await execa(process.execPath, args, {
    cwd: repoDir,
    reject: false,
    all: true,
    timeout: 550_000,
  });
  expect(exitCode, all).toBe(0);
}

describe.skipIf(process.platform === 'win32')('runs of all kinds hold', () => {
  it('where the server of three hosts on SQLite is killed', () => chaos('sqlite', 21));

  describe.skipIf(!findPostgres())('on two machines on Postgres', () => {
    it('where servers are killed', () => chaos('kills', 28));
    it('where Postgres is restarted, fast and immediate', () => chaos('restarts', 21));
  });
});
