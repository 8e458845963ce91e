import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IN_DATA_DIR } from './made-names.ts';

const TOP = join(import.meta.dirname, '../../../..');
/** In the data directory of a project, as sources name what they put there. */
const PUT = /join\((?:\w+\.)*dataDir, '([\w.-]+)'/g;

function namesPut(): string[] {
  const listed = execFileSync('git', ['ls-files', 'apps/*.ts', 'packages/*.ts'], {
    cwd: TOP,
    encoding: 'utf8',
  });
  const sources = listed.split('\n').filter((file) => file.includes('/src/') && !file.endsWith('.test.ts'));
  const texts = sources.map((file) => readFileSync(join(TOP, file), 'utf8'));
  return [...new Set(texts.flatMap((text) => [...text.matchAll(PUT)].map(([, name = '']) => name)))];
}

describe('the names of what Nexus makes', () => {
  const firsts = IN_DATA_DIR.map((name) => new RegExp(`^(?:${name.split('/')[0]})$`));

  it('has every name that a source puts into a data directory', () => {
    const put = namesPut();
    expect(put.length).toBeGreaterThan(10);
    expect(put.filter((name) => !firsts.some((first) => first.test(name)))).toEqual([]);
  });
});
