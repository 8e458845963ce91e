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
