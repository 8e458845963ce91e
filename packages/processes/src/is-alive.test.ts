import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { isAlive } from './is-alive.ts';

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
