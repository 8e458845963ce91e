import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { kinds } from './kinds.ts';
import { asBroken, asMended, TEST_COMMAND, testOf, type Wanted } from './proofs.ts';
import { type FileOfTask, packageFiles, taskOf } from './tasks.ts';

const root = mkdtempSync(join(tmpdir(), 'nexus-effort-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const edited = ({ text }: FileOfTask, { input }: ReturnType<typeof asMended>) =>
  text.replace(input.old, () => input.new);

it('a test of the bench is red and green by the code that it is about', () => {
  const { files } = taskOf('middle', packageFiles());
  const passes = (wanted: Wanted, text: (file: FileOfTask) => string) => {
    const test = testOf(files, wanted);
    put(test.path, test.text);
    for (const file of files) put(file.path, text(file));
    const [program = '', ...args] = TEST_COMMAND;
    // Told of a runner around it, this one would not judge for itself.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    return spawnSync(program, args, { cwd: root, env }).status === 0;
  };
  expect(passes('mended', ({ text }) => text)).toBe(false);
  expect(passes('mended', (file) => edited(file, asMended(file)))).toBe(true);
  expect(passes('line', ({ text }) => text)).toBe(true);
  expect(passes('line', (file) => edited(file, asBroken(file)))).toBe(false);
  expect(passes('unmarked', ({ text }) => text)).toBe(true);
  expect(passes('unmarked', (file) => edited(file, asMended(file)))).toBe(false);
});

it('each kind of work that promises proofs has a row with them, whose least is more than without', () => {
  const task = taskOf('middle', packageFiles());
  const told = (name: string) => {
    const kind = kinds.find((each) => each.name === name);
    return { proofs: kind?.proofs?.(task), talks: kind?.least(task).length ?? 0 };
  };
  for (const name of ['orchestrate', 'bug-fix', 'execute_spec', 'pr_review']) {
    const [without, proving] = [told(name), told(`${name} with proof`)];
    expect(without.proofs).toBeUndefined();
    expect(proving.proofs).toBeGreaterThan(0);
    expect(proving.talks).toBeGreaterThanOrEqual(without.talks);
  }
});
