import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { machineName } from './machine-name.ts';

it('is the same each time for a data directory, which it makes, and another for another', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-machine-'));
  try {
    const [one, other] = [join(folder, 'one'), join(folder, 'other')];
    expect(machineName(one)).toBe(machineName(one));
    expect(machineName(one).startsWith(`${hostname()}-`)).toBe(true);
    expect(machineName(other)).not.toBe(machineName(one));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
