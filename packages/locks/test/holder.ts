import { spawn } from 'node:child_process';
import { once } from 'node:events';

const PROGRAM = `
const { openSync } = require('node:fs');
const { tryLock } = require('fs-native-extensions');
if (!tryLock(openSync(process.argv[1], 'a+'), { shared: process.argv[2] === 'shared' })) process.exit(1);
process.stdout.write('held');
process.stdin.resume();
`;

interface Holder {
  readonly pid: number;
  kill(): Promise<void>;
}

/** Another process that has the lock. */
export async function startHolder(path: string, kind: 'exclusive' | 'shared' = 'exclusive'): Promise<Holder> {
  const child = spawn(process.execPath, ['-e', PROGRAM, path, kind], {
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
