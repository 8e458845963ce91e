import { spawn } from 'node:child_process';
import { once } from 'node:events';

const PROGRAM = `
const { openSync } = require('node:fs');
const { tryLock } = require('fs-native-extensions');
if (!tryLock(openSync(process.argv[1], 'a+'))) process.exit(1);
process.stdout.write('held');
process.stdin.resume();
`;

/** Another process that has the lock. */
export async function startHolder(path: string): Promise<{ readonly pid: number; kill(): Promise<void> }> {
  const child = spawn(process.execPath, ['-e', PROGRAM, path], {
    cwd: import.meta.dirname,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    pid: child.pid ?? 0,
    async kill() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
