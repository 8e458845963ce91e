import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { syntaxPlace } from './syntax-place.ts';

afterEach(() => vi.unstubAllEnvs());

it('finds where a module does not parse, runs none, and hands on no variable that would', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-syntax-'));
  try {
    const canary = join(folder, 'canary');
    const plant = `require('node:fs').writeFileSync(${JSON.stringify(canary)}, '');\n`;
    writeFileSync(join(folder, 'loaded.cjs'), plant);
    writeFileSync(join(folder, 'first.cjs'), plant);
    writeFileSync(join(folder, 'broken.mjs'), "import './first.cjs';\nconst a = ;\n");
    vi.stubEnv('NODE_OPTIONS', `--require ${join(folder, 'loaded.cjs')}`);
    const url = pathToFileURL(join(folder, 'broken.mjs')).href;
    expect(await syntaxPlace(url)).toBe(`${url}:2`);
    expect(existsSync(canary)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
