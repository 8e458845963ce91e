import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const entry = fileURLToPath(new URL('./index.ts', import.meta.url));

/** Runs `body` in a process of its own, since a test runner owns its own stdout. */
function program(body: string) {
  const source = `import { claimStdout } from ${JSON.stringify(entry)};\n${body}`;
  return run(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', source]);
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
