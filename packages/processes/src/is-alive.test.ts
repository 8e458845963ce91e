import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { hasEnded, isAlive } from './is-alive.ts';

it('tells a process that is there from one that was', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await once(child, 'spawn');
  const pid = Number(child.pid);
  expect(isAlive(pid)).toBe(true);
  const exited = once(child, 'exit');
  child.stdin?.end();
  await exited;
  expect(isAlive(pid)).toBe(false);
});

it.runIf(process.platform === 'linux')('tells that one has ended which nobody has waited for', async () => {
  // What comes in the place of the shell, before its child ends, knows nothing of that.
  const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(said.toString());
  await expect.poll(() => hasEnded(pid)).toBe(true);
  expect(isAlive(pid)).toBe(true);
  expect(hasEnded(Number(parent.pid))).toBe(false);
  parent.kill();
  await expect.poll(() => hasEnded(Number(parent.pid))).toBe(true);
});
