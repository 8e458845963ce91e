import { mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readText } from './read-file.ts';

it('a file that is too large to read is refused, and what finds lines in it is named', async () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-read-')));
  const file = join(top, 'large.txt');
  writeFileSync(file, 'a line\n');
  expect(await readText(top, 'large.txt')).toBe('a line\n');
  truncateSync(file, 2 * 1024 * 1024 + 1);
  await expect(readText(top, 'large.txt')).rejects.toThrow(
    'large.txt has 2097153 bytes, and 2097152 are read at most. search_files finds lines in it.',
  );
  rmSync(top, { recursive: true });
});
