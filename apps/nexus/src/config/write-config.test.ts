import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeConfig } from './write-config.ts';

describe('writeConfig', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nexus-write-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('makes the file with its folder, and leaves nothing else there', () => {
    const file = join(folder, 'deep/nexus.config.json');
    writeConfig(file, '{}');
    expect(readFileSync(file, 'utf8')).toBe('{}');
    expect(readdirSync(join(folder, 'deep'))).toEqual(['nexus.config.json']);
  });

  it.skipIf(process.platform === 'win32')('keeps a link a link, and who may read the file', () => {
    const real = join(folder, 'real.json');
    const link = join(folder, 'link.json');
    writeFileSync(real, 'old', { mode: 0o600 });
    symlinkSync(real, link);
    writeConfig(link, 'new');
    expect(readFileSync(real, 'utf8')).toBe('new');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o600);
  });
});
