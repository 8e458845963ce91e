import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, test } from 'vitest';

/** Where the machine is as busy as a whole check makes it. */
const TIMEOUT_MS = 600_000;

test(
  'what hangs on the build, on how many processes there are and on a config without faults can be measured',
  async () => {
    const cli = fileURLToPath(new URL('cli.ts', import.meta.url));
    const args = ['--import', 'tsx', cli, '--rehearse', '--only', 'start-up,many-hosts,list-tokens'];
    const { stdout } = await execa(process.execPath, args);
    expect(stdout.match(/^[\w-]+(?= can be measured$)/gm)).toEqual(['start-up', 'many-hosts', 'list-tokens']);
  },
  TIMEOUT_MS,
);
