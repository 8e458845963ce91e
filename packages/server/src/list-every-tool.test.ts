import { scopeOf } from '@nexus/testing';
import { expect, it } from 'vitest';
import { passedTool } from '../test/passed-tool.ts';
import { rawSession } from '../test/raw-session.ts';
import { startSession } from '../test/start-session.ts';
import { noDownstreams } from './behind/no-downstreams.ts';

const tool = (name: string) =>
  passedTool(async () => ({ content: [] }), {
    name,
    plugin: 'box/server',
    listing: { name, inputSchema: { type: 'object' } },
  });

it('is left out of the list where it needs a model and the client has none to ask', async () => {
  const started = startSession([], undefined, { hasModel: async (offersSampling) => offersSampling });
  started.registry.register({ ...tool('judge'), needsModel: true });
  started.registry.register(tool('read'));
  const listedTo = async (capabilities: Record<string, unknown>) => {
    const { ask } = await rawSession({ ...started, ...started.open() }, capabilities);
    const { tools } = (await ask('tools/list')).result as { tools: { name: string }[] };
    const every = (await ask('tools/list', { _meta: { 'nexus/every': true } })).result as {
      tools: { name: string; _meta: { 'nexus/tool': { unlistedFor?: string } } }[];
    };
    const judge = every.tools.find(({ name }) => name === 'judge');
    const isThere = tools.some(({ name }) => name === 'judge');
    expect(judge?._meta['nexus/tool'].unlistedFor).toBe(isThere ? undefined : 'model');
    return tools.map(({ name }) => name);
  };
  expect(await listedTo({})).toEqual(['read']);
  expect(await listedTo({ sampling: {} })).toEqual(['judge', 'read']);
});

it('is named on request, with its plugin and whether hosts see it, beside what is withheld', async () => {
  const started = startSession([]);
  started.registry.setForSession(scopeOf(started.session.id), 'box', [
    tool('box__server__shown'),
    { ...tool('box__server__hidden'), isListed: false },
  ]);
  started.registry.withhold('gone', 'it is disabled');
  const { ask } = await rawSession(started);
  const plain = (await ask('tools/list')).result as { tools: { name: string }[] };
  expect(plain.tools.map(({ name }) => name)).toEqual(['box__server__shown']);
  expect((await ask('tools/list', { _meta: { 'nexus/every': true } })).result).toMatchObject({
    _meta: { 'nexus/withheld': { gone: 'it is disabled' } },
    tools: [
      {
        name: 'box__server__hidden',
        _meta: { 'nexus/tool': { plugin: 'box/server', isListed: false, unlistedFor: 'mode' } },
      },
      { name: 'box__server__shown', _meta: { 'nexus/tool': { plugin: 'box/server', isListed: true } } },
    ],
  });
  const called = await ask('tools/call', { name: 'gone', arguments: {} });
  expect(called.error?.message).toBe('Unknown tool: gone; it is disabled');
});

it('says beside the list of which servers it does not have all tools', async () => {
  const leftOut = [{ toolbox: 'box', server: 'server', count: 9, reason: '9 of the 10 tools are left out' }];
  const some = startSession([], undefined, { downstreams: { ...noDownstreams, leftOut: () => leftOut } });
  const { ask } = await rawSession(some);
  expect((await ask('tools/list')).result).toMatchObject({ _meta: { 'nexus/leftOut': leftOut } });
  const none = await rawSession(startSession([]));
  expect((await none.ask('tools/list')).result).not.toHaveProperty('_meta');
});
