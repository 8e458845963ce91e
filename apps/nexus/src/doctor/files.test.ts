import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { files } from './files.ts';

it('says of what is small how small it is', async () => {
  const base = mkdtempSync(join(tmpdir(), 'nexus-files-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const NEXUS_DATA_DIR = join(base, 'data');
  mkdirSync(NEXUS_DATA_DIR);
  writeFileSync(join(NEXUS_DATA_DIR, 'small'), 'a');
  writeFileSync(join(NEXUS_DATA_DIR, 'large'), 'a'.repeat(1_500_000));
  vi.stubEnv('NEXUS_DATA_DIR', NEXUS_DATA_DIR);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { saw } = await files.run({ config: undefined, connect: false });
  expect(saw).toMatch(/^large: 1\.4 MB in 1 file, [\s\S]*small: 1 KB in 1 file, /);
});
