import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dropLeftovers } from './cache-file.ts';

it('removes what a save that was cut off has left, and no file of anybody else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-symbols-'));
  try {
    const others = ['symbols-a.jsonl', 'symbols-a.jsonl.2.tmp', 'symbols-b.jsonl.1.tmp'];
    for (const name of ['symbols-a.jsonl.1.tmp', ...others]) writeFileSync(join(folder, name), '');
    const long = new Date(Date.now() - 3_600_000);
    // The second one is being written.
    for (const name of ['symbols-a.jsonl.1.tmp', 'symbols-a.jsonl', 'symbols-b.jsonl.1.tmp'])
      utimesSync(join(folder, name), long, long);
    await dropLeftovers(join(folder, 'symbols-a.jsonl'));
    expect(readdirSync(folder).sort()).toEqual(others.sort());
    await dropLeftovers(join(folder, 'none', 'symbols-a.jsonl'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
