import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimsOf } from './claim.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-repository-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.runIf(process.platform !== 'win32')('what lies in the place of a file of git’s', () => {
  it.each(['.git', '.git/config'])('is named when it is none: %s', (name) => {
    if (name !== '.git') mkdirSync(join(folder, '.git'));
    execFileSync('mkfifo', [join(folder, name)]);
    expect(() => claimsOf(folder)).toThrow(`${join(folder, name)} is no regular file`);
  });

  it('is named when a link leads to a device', () => {
    mkdirSync(join(folder, '.git'));
    symlinkSync('/dev/null', join(folder, '.git/config'));
    expect(() => claimsOf(folder)).toThrow(`${join(folder, '.git/config')} is no regular file`);
  });

  it('is named when it is larger than anybody’s', () => {
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, '.git/config'), '#'.repeat(2_000_000));
    expect(() => claimsOf(folder)).toThrow('has 2000000 bytes');
  });
});
