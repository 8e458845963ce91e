import { type Caller, createRegistry, createSessionScope, type Dispatcher } from '@nexus/core';
import { expect, it } from 'vitest';
import { askingFirst } from './asking-first.ts';

it('tells of a tool that the calling session alone has as one that is there', async () => {
  const registry = createRegistry();
  await using session = createSessionScope({ id: 'one' });
  const tool = { name: 'box__s__note', origin: undefined } as never;
  registry.setForSession(session, 'box', [tool]);
  const told: unknown[] = [];
  const dispatcher = askingFirst(
    { call: async () => ({}) } as unknown as Dispatcher,
    registry,
    (call) => void told.push(call),
  );
  const caller = { session } as unknown as Caller;
  await dispatcher.call(caller, { params: { name: 'box__s__note' } } as never);
  expect(told).toEqual([{ sessionId: 'one', toolName: 'box__s__note', tool }]);
});
