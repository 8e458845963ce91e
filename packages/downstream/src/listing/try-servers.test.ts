import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fake, sourceOf, startDownstreams, startsIn, textOf } from '../../test/downstreams-under-test.ts';

it('tries a server on a connection of its own, and leaves alone the one that a session has', async () => {
  await using test = startDownstreams((folder) =>
    sourceOf({ a: { mcpServers: { s: fake({ startsFile: join(folder, 'starts') }) } } }),
  );
  const session = test.session('one');
  const { tools } = await session.open('a');
  const pid = textOf(await session.call('a__s__who'));
  expect(await test.downstreams.tryServers({ environment: {} })).toEqual([
    {
      toolbox: 'a',
      server: 's',
      isOk: true,
      tools: tools.length,
      protocolVersion: '2025-11-25',
      durationMs: expect.any(Number),
    },
  ]);
  expect(await startsIn(join(test.folder, 'starts'))).toHaveLength(2);
  expect(test.downstreams.status().map(({ servers }) => servers)).toEqual([['a/s']]);
  expect(textOf(await session.call('a__s__who'))).toBe(pid);
});

it('tells of each as it is known, in the order of the config, faulty ones with what is wrong', async () => {
  const faults = [{ server: 'waits', reason: 'waits for the user’s trust' }];
  await using test = startDownstreams(
    sourceOf({ a: { mcpServers: { dies: fake({ exitCode: 3 }), s: fake() }, faults } }),
  );
  const told: string[] = [];
  const trials = await test.downstreams.tryServers({
    environment: {},
    onTrial: ({ server }) => void told.push(server),
  });
  expect(trials).toMatchObject([
    { server: 'dies', isOk: false, reason: expect.stringContaining('exited with code 3') },
    { server: 's', isOk: true },
    { server: 'waits', isOk: false, reason: 'waits for the user’s trust' },
  ]);
  expect(told.sort()).toEqual(['dies', 's', 'waits']);
});
