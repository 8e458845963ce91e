import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('./claim-stdout.ts', import.meta.url))],
  bundle: true,
  platform: 'node',
  format: 'esm',
  write: false,
});

/** Runs `body` in a process of its own, since a test runner owns its own stdout. */
function program(body: string) {
  return run(process.execPath, ['--input-type=module', '--eval', `${outputFiles[0]?.text}\n${body}`]);
}

it('sends whatever else prints to stderr while stdout is claimed, and gives it back', async () => {
  const { stdout, stderr } = await program(`
    const claimed = claimStdout();
    console.log('stray log');
    process.stdout.write('stray write\\n');
    claimed.stream.write('protocol\\n', () => {
      claimed.release();
      console.log('after');
    });
  `);
  expect(stdout).toBe('protocol\nafter\n');
  expect(stderr).toBe('stray log\nstray write\n');
});

it('calls back a stray writer that waits for its write', async () => {
  const { stderr } = await program(`
    claimStdout();
    process.stdout.write('stray\\n', 'utf8', () => process.stderr.write('written\\n'));
  `);
  expect(stderr).toBe('stray\nwritten\n');
});

it('writes what was held back in order, text and bytes alike', async () => {
  const { stdout } = await program(`
    const { stream } = claimStdout();
    stream.cork();
    stream.write('one ü\\n');
    stream.write(Buffer.from('two ü\\n'));
    stream.write('three\\n');
    process.nextTick(() => stream.uncork());
  `);
  expect(stdout).toBe('one ü\ntwo ü\nthree\n');
});
