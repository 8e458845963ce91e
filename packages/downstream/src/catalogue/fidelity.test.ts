import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { ANSWER_MS, endsWithin } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { scopeOf } from '@nexus/testing';
import { describe, expect, it } from 'vitest';
import {
  connectDirectly,
  fake,
  server,
  sourceOf,
  startDownstreams,
  textOf,
} from '../../test/downstreams-under-test.ts';
import type { ServerSettings } from '../settings.ts';

const require = createRequire(import.meta.url);

function program(packageFile: string, ...args: string[]): ServerSettings {
  const file = join(dirname(packageFile), 'dist', 'index.js');
  return server({ command: process.execPath, args: [file, ...args] });
}

describe.each([
  [
    'server-everything',
    program(require.resolve('@modelcontextprotocol/server-everything/package.json'), 'stdio'),
  ],
  [
    'server-filesystem',
    program(require.resolve('@modelcontextprotocol/server-filesystem/package.json'), process.cwd()),
  ],
  ['server-memory', program(require.resolve('@modelcontextprotocol/server-memory/package.json'))],
  ['a server with every construct of JSON Schema, a page each', fake({ schemas: true, pageSize: 1 })],
])('%s', (_, settings) => {
  it('has its definitions passed on as it gives them, but for the name: every key, in its order', async () => {
    await using direct = await connectDirectly(settings);
    const served = (await direct.list('tools/list', 'tools', {
      signal: endsWithin(ANSWER_MS),
    })) as (Members & { name: string })[];
    await using test = startDownstreams(sourceOf({ tb: { mcpServers: { srv: settings } } }));
    const session = test.session('one');
    const opened = await session.open('tb');
    expect(opened.faults).toEqual([]);
    const listed = new Map(
      test.registry.listed(scopeOf('one')).map(({ listing }) => [listing.name, listing]),
    );
    expect(listed.size).toBe(served.length);
    for (const tool of served) {
      const listing = listed.get(`tb__srv__${tool.name}`);
      // As text, since that tells the order of keys at every depth.
      expect(JSON.stringify(listing)).toBe(JSON.stringify({ ...tool, name: `tb__srv__${tool.name}` }));
      const catalogued = opened.tools.find((each) => each.tool === tool.name);
      expect(JSON.stringify(catalogued?.definition)).toBe(JSON.stringify(tool));
    }
  });

  it('looks like itself without a prefix, but for what says whose each tool is', async () => {
    await using direct = await connectDirectly(settings);
    const served = (await direct.list('tools/list', 'tools', {
      signal: endsWithin(ANSWER_MS),
    })) as (Members & { name: string })[];
    await using test = startDownstreams(sourceOf({ tb: { prefix: false, mcpServers: { srv: settings } } }));
    await test.session('one').open('tb');
    const byName = (a: Members, b: Members) => (String(a.name) < String(b.name) ? -1 : 1);
    const listings = test.registry.listed(scopeOf('one')).map(({ listing }) => listing);
    const said = served.map((tool) => {
      const meta = { ...(tool._meta as Members | undefined), 'nexus/origin': `tb__srv__${tool.name}` };
      return { ...tool, _meta: meta };
    });
    expect(JSON.stringify(listings)).toBe(JSON.stringify(said.sort(byName)));
  });
});

describe('what is odd in a list', () => {
  it('is reported and left out, and the rest stays', async () => {
    await using test = startDownstreams(sourceOf({ tb: { mcpServers: { srv: fake({ badTool: true }) } } }));
    const session = test.session('one');
    const { faults } = await session.open('tb');
    expect(faults.map(({ server, tool }) => [server, tool])).toEqual([
      ['srv', 'bad_schema'],
      ['srv', 'bad_type'],
      ['srv', undefined],
      ['srv', undefined],
      ['srv', undefined],
      ['srv', undefined],
    ]);
    expect(session.listed()).toContain('tb__srv__echo');
  });

  it('is named so that every host takes it, with the full name beside it', async () => {
    const source = sourceOf({ tb: { mcpServers: { srv: fake({ longName: true, oddNames: true }) } } });
    await using test = startDownstreams(source);
    const session = test.session('one');
    await session.open('tb');
    for (const name of session.listed()) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    const changed = test.registry
      .listed(scopeOf('one'))
      .flatMap(({ listing }) => (listing._meta as Members | undefined)?.['nexus/name'] ?? []);
    expect(changed).toEqual(
      expect.arrayContaining([`tb__srv__${'n'.repeat(80)}`, 'tb__srv__with space', 'tb__srv__ümlaut']),
    );
    expect(changed).toHaveLength(6);
    expect(session.listed()).toContain('tb__srv__a__b');
  });

  it('of two servers with the same tools is told apart by the prefix, and where there is none reported and reachable both', async () => {
    const mcpServers = {
      x: fake({}, { toolFilters: ['echo'] }),
      y: fake({ name: 'y' }, { toolFilters: ['echo'] }),
    };
    await using test = startDownstreams(
      sourceOf({
        tb: { mcpServers },
        bare: { mcpServers, prefix: false },
        more: { mcpServers, prefix: false },
      }),
    );
    const session = test.session('one');
    expect((await session.open('tb')).faults).toEqual([]);
    expect(session.listed()).toEqual(['tb__x__echo', 'tb__y__echo']);
    expect((await session.open('bare')).faults).toEqual([
      {
        server: 'y',
        tool: 'echo',
        reason: expect.stringContaining('server "x" has a tool of this name too'),
      },
    ]);
    expect((await session.open('more')).faults).toContainEqual({
      server: 'x',
      tool: 'echo',
      reason: expect.stringContaining('has a tool named echo already, of bare/x'),
    });
    expect(session.listed()).toEqual([
      'bare__y__echo',
      'echo',
      'more__x__echo',
      'more__y__echo',
      'tb__x__echo',
      'tb__y__echo',
    ]);
    const address = { toolbox: 'more', server: 'x', tool: 'echo' };
    expect(await test.downstreams.reach(address, session.caller)).toBe('more__x__echo');
    expect(textOf(await session.call('more__x__echo', { message: 'hi' }))).toBe('{"message":"hi"}');
    await session.close('more');
    expect(await test.downstreams.reach(address, session.caller)).toBe('more__x__echo');
    expect(textOf(await session.call('bare__y__echo', { message: 'y' }))).toBe('{"message":"y"}');
  });
});

it('lets the config rename tools and describe them anew', async () => {
  const tools = {
    echo: { name: 'say', description: 'Says it again.' },
    who: { name: 'fail' },
    burst: { description: 'Many.' },
  };
  await using test = startDownstreams(sourceOf({ tb: { mcpServers: { srv: fake({}, { tools }) } } }));
  const session = test.session('one');
  const { faults } = await session.open('tb');
  expect(test.registry.get('tb__srv__say', scopeOf('one'))?.listing).toMatchObject({
    description: 'Says it again.',
  });
  expect(test.registry.get('tb__srv__burst', scopeOf('one'))?.listing).toMatchObject({
    description: 'Many.',
  });
  expect(faults).toEqual([{ server: 'srv', tool: 'who', reason: expect.stringContaining('has already') }]);
  const { caller } = session;
  expect(await test.downstreams.reach({ toolbox: 'tb', server: 'srv', tool: 'say' }, caller)).toBe(
    'tb__srv__say',
  );
});
