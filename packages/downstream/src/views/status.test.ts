import { scopeOf } from '@nexus/testing';
import { expect, it, vi } from 'vitest';
import {
  fake,
  type SessionUnderTest,
  sourceOf,
  startDownstreams,
} from '../../test/downstreams-under-test.ts';
import { summarizeToolboxes } from './status.ts';

type Test = ReturnType<typeof startDownstreams>;

async function serverOf(test: Test, session: SessionUnderTest) {
  const [toolbox] = await test.downstreams.list(['a'], session.caller.session);
  return toolbox?.servers[0];
}

it('says of a server that could not be reached why, until it can be', async () => {
  await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake({ exitCode: 3 }) } } }));
  const session = test.session('one');
  expect(await serverOf(test, session)).toEqual({ name: 's', state: 'idle' });
  await expect(session.open('a')).rejects.toThrow('code 3');
  const failed = { name: 's', state: 'failed', error: expect.stringContaining('code 3') };
  expect(await serverOf(test, session)).toMatchObject(failed);
  expect(test.downstreams.status()).toEqual([]);
  await test.downstreams.reconfigure(sourceOf({ a: { mcpServers: { s: fake() } } }));
  await session.open('a');
  expect(await serverOf(test, session)).toMatchObject({ state: 'ready' });
});

it('says so of one that a search could not reach', async () => {
  await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: fake({ exitCode: 3 }) } } }));
  const session = test.session('one');
  await test.downstreams.catalogue(session.caller);
  expect(await serverOf(test, session)).toMatchObject({ state: 'failed' });
});

it('says of one that is sent no call why, and until when', () => {
  const server = { server: 's' };
  const offers = {
    outline: () => ({ name: 'a', description: 'A.', servers: ['s'] }),
    of: () => ({ settings: { faults: [] }, servers: [server], inSight: () => [] }),
  };
  const leases = { find: () => ({ state: 'ready', leftAlone: 'left 5 calls in a row without an answer' }) };
  const sources = { offers, leases, lists: new Map() } as never; // what a summary asks of them
  const [toolbox] = summarizeToolboxes(sources, { id: 'one', holdings: new Map() } as never, ['a']);
  expect(toolbox?.servers).toEqual([
    { name: 's', state: 'failed', error: 'left 5 calls in a row without an answer' },
  ]);
});

it('counts the tools that pass the filters', async () => {
  const filtered = { ...fake(), toolFilters: ['echo', 'who'] };
  await using test = startDownstreams(sourceOf({ a: { mcpServers: { s: filtered } } }));
  const session = test.session('one');
  await session.open('a');
  expect(await serverOf(test, session)).toMatchObject({ toolCount: 2 });
});

it('names all toolboxes in their order, and does no work on those that are not asked for', async () => {
  const source = sourceOf({
    c: { mcpServers: { s: fake() } },
    a: {},
    b: { mcpServers: { s: fake(), t: fake() } },
  });
  const lacking = [{ toolbox: 'b', server: 't', reason: 'no such program' }];
  const settings = vi.fn(source.settings);
  await using test = startDownstreams({ ...source, lacking, settings });
  expect((await test.downstreams.names()).map(({ name, servers }) => [name, servers])).toEqual([
    ['a', []],
    ['b', ['s', 't']],
    ['c', ['s']],
  ]);
  expect(await test.downstreams.list(['b', 'gone'], scopeOf('nobody began'))).toMatchObject([
    {
      name: 'b',
      servers: [
        { name: 's', state: 'idle' },
        { name: 't', state: 'failed', error: 'no such program' },
      ],
    },
  ]);
  expect(settings.mock.calls.map(([toolbox]) => toolbox)).toEqual(['b']);
});
