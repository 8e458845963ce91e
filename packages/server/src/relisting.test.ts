import { expect, it } from 'vitest';
import { connectClient, startSession } from '../test/start-session.ts';

it('hears by name which client asks for its list of tools', async () => {
  const heard: string[] = [];
  const relisting = { listed: (_session: unknown, client: string) => void heard.push(client) };
  const client = await connectClient(startSession([], undefined, { relisting }).clientEnd);
  expect(heard).toEqual([]);
  await client.listTools();
  await client.listTools();
  expect(heard).toEqual(['tester', 'tester']);
});
