import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { spawnServer } from './spawn-server.ts';

afterEach(() => vi.unstubAllEnvs());

it('starts a server with its own variables and those that its user named, and no secret', async () => {
  vi.stubEnv('NEXUS_CANARY_TOKEN', 'secret');
  vi.stubEnv('NEXUS_NAMED', 'named');
  const args = [
    '-e',
    'console.log(Object.keys(process.env).filter((name) => /^NEXUS|OWN/.test(name)).join())',
  ];
  const settings = {
    transport: 'stdio' as const,
    command: process.execPath,
    args,
    env: { OWN: '1' },
    headers: {},
  };
  const start = async (inherits?: readonly string[]) => {
    const how = { serverName: 's', projectRoot: process.cwd(), inherits };
    const child = await spawnServer(settings, how, (each) => each);
    return (await text(child.stdout)).trim();
  };
  expect(await start()).toBe('OWN');
  expect((await start(['NEXUS_NAMED'])).split(',').sort()).toEqual(['NEXUS_NAMED', 'OWN']);
});

it('ends a server whose start is given up meanwhile', async () => {
  const word = `given-up-${randomUUID()}`;
  const args = ['-e', 'setInterval(() => {}, 1000)', word];
  const settings = { transport: 'stdio' as const, command: process.execPath, args, env: {}, headers: {} };
  const caller = new AbortController();
  const how = { serverName: 's', projectRoot: process.cwd(), signal: caller.signal };
  const starting = spawnServer(settings, how, (each) => each);
  caller.abort(new Error('given up'));
  await expect(starting).rejects.toThrow('given up');
  await vi.waitFor(() => expect(processesWith(word)).toEqual([]), { timeout: 20_000 });
});

/** The processes that have the word in their commands; none where the system does not tell. */
function processesWith(word: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${Number(pid)}/cmdline`, 'utf8').includes(word);
    } catch {
      return false; // gone, or no process
    }
  });
}
