import type { ClientOfUser } from '@nexus/core';
import { expect, it } from 'vitest';
import { connectClient, startSession } from '../test/start-session.ts';

it('hears by name and user which client asks for its list of tools', async () => {
  const heard: ClientOfUser[] = [];
  const relisting = { listed: (_session: unknown, client: ClientOfUser) => void heard.push(client) };
  const client = await connectClient(startSession([], undefined, { relisting }).clientEnd);
  expect(heard).toEqual([]);
  await client.listTools();
  await client.listTools();
  expect(heard).toEqual([{ name: 'tester' }, { name: 'tester' }]);
});
