import { fakeServer } from '@nexus/testing';
import { expect } from 'vitest';
import { testDir } from '../harness/app.ts';
import { makeProject } from '../harness/project.ts';
import type { HostSession, Message } from '../harness/session.ts';
import { sharedServer } from '../harness/shared-server.ts';
import { directly, listAll, openToolbox, referenceServer, type ServerCommand } from '../harness/toolboxes.ts';
import { verifies, verifiesAnew } from '../harness/verifies.ts';

const everything = referenceServer('everything', 'stdio');
const fixture = fakeServer({ schemas: true, pageSize: 3, resources: true });
const servers: Readonly<Record<string, ServerCommand>> = {
  everything,
  filesystem: referenceServer('filesystem', testDir),
  memory: referenceServer('memory'),
  fixture,
};
const shared = sharedServer({
  config: { toolboxes: { box: { description: 'Several servers.', mcpServers: servers } } },
});

/** Asked once for all ways in. */
const ownTools = new Map<string, Promise<{ name: string }[]>>();

for (const [name, command] of Object.entries(servers)) {
  verifies('toolbox.whole', `lists the tools of ${name} as it serves them, key by key`, async (way) => {
    if (!ownTools.has(name)) {
      ownTools.set(
        name,
        directly(command, (session) => listAll(session, 'tools/list', 'tools')),
      );
    }
    const own = (await ownTools.get(name)) ?? [];
    const { server } = await shared(way);
    await openToolbox(server.session, 'box');
    const { result } = await server.session.ask('tools/list');
    const through = new Map(result.tools.map((tool: { name: string }) => [tool.name, tool]));
    expect(own.length).toBeGreaterThan(0);
    for (const tool of own) {
      const expected = { ...tool, name: `box__${name}__${tool.name}` };
      // As text, since equality of objects overlooks the order of keys.
      expect(JSON.stringify(through.get(expected.name)), tool.name).toBe(JSON.stringify(expected));
    }
  });
}

verifiesAnew(
  'toolbox.offers',
  'passes resources, templates and prompts of a server through whole',
  async (way) => {
    await using project = await makeProject({
      config: {
        toolboxes: {
          box: { description: 'One server.', autoOpen: true, prefix: false, mcpServers: { it: everything } },
        },
      },
    });
    const lists = {
      resources: 'resources/list',
      resourceTemplates: 'resources/templates/list',
      prompts: 'prompts/list',
    };
    const own = await directly(everything, async (session) => {
      const read = Object.entries(lists).map(async ([key, method]) => [
        key,
        await listAll(session, method, key),
      ]);
      return Object.fromEntries(await Promise.all(read)) as Record<string, { name: string; uri?: string }[]>;
    });
    await using server = await way.open(project);
    for (const [key, method] of Object.entries(lists)) {
      const listed = (await listAll(server.session, method, key)).map((each) => JSON.stringify(each));
      expect(own[key]?.length, key).toBeGreaterThan(0);
      for (const item of own[key] ?? []) expect(listed, key).toContain(JSON.stringify(item));
    }
    const uri = own.resources?.[0]?.uri;
    const direct = await directly(everything, (session) => session.ask('resources/read', { uri }));
    const through = await server.session.ask('resources/read', { uri });
    expect(JSON.stringify(through.result)).toBe(JSON.stringify(direct.result));
  },
);

verifies('toolbox.result', 'passes results on as they are, errors too', async (way) => {
  const { server } = await shared(way);
  await openToolbox(server.session, 'box');
  for (const [tool, args] of [
    ['rich', {}],
    ['fail', {}],
    ['echo', { message: 'x', 'odd key': [1, { deep: null }] }],
  ] as const) {
    const direct = await directly(fixture, (session) => session.call(tool, args));
    const listed = await server.session.call(`box__fixture__${tool}`, args);
    expect(JSON.stringify(listed.result), tool).toBe(JSON.stringify(direct.result));
    const address = { toolbox: 'box', server: 'fixture', tool };
    const used = await server.session.call('use_tool', { ...address, arguments: args });
    expect(JSON.stringify(used.result), tool).toBe(JSON.stringify(direct.result));
  }
});

verifies('toolbox.shapes', 'learns what results look like, and keeps no value of them', async (way) => {
  await using project = await makeProject({
    config: { toolboxes: { box: { description: 'One server.', mcpServers: { it: fakeServer() } } } },
  });
  const canary = 'canary-5d1f77';
  const echo = { toolbox: 'box', server: 'it', tool: 'echo' };
  const seen = async (session: HostSession) => {
    const { result } = await session.call('find_tools', { queries: ['echo arguments'], limit: 1 });
    return result.structuredContent.hits[0];
  };
  {
    await using server = await way.open(project);
    expect(await seen(server.session)).toMatchObject({ tool: 'echo' });
    expect(await seen(server.session)).not.toHaveProperty('resultSeen');
    for (const n of [1, 2]) {
      const rows = [{ id: n, name: canary }, { id: n }];
      const { result } = await server.session.call('use_tool', { ...echo, arguments: { rows, [canary]: n } });
      expect(result.isError).toBeFalsy();
      await server.session.call('use_tool', { ...echo, arguments: { rows, total: n } });
    }
    await expect.poll(async () => 'resultSeen' in (await seen(server.session))).toBe(true);
  }
  await using server = await way.open(project);
  const { resultSeen } = await seen(server.session);
  // Names that were no names make a map of all of them, whose values have their kinds.
  expect(resultSeen).toContain('id: number');
  expect(resultSeen).not.toContain('canary');
});

verifies('toolbox.meta', 'hands the caller’s _meta and trace on to the server', async (way) => {
  const { server } = await shared(way);
  await openToolbox(server.session, 'box');
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const _meta = { traceparent, tracestate: 'vendor=1', baggage: 'team=a', 'example.com/own': { a: 1 } };
  for (const [name, args] of [
    ['box__fixture__received', {}],
    ['use_tool', { toolbox: 'box', server: 'fixture', tool: 'received', arguments: {} }],
  ] as const) {
    const { result } = await server.session.call(name, args, { _meta });
    const call = result.structuredContent.messages.findLast(({ method }: Message) => method === 'tools/call');
    // Its parent is the span of the request to it, where anybody takes spans.
    const within = expect.stringMatching(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01$/);
    expect(call.params._meta, name).toMatchObject({ ..._meta, traceparent: within });
  }
});

verifiesAnew(
  'toolbox.cut',
  'cuts a long result by its shape and keeps the whole, after a restart too',
  async (way) => {
    await using project = await makeProject({
      config: {
        limits: { maxResultChars: 1_000 },
        toolboxes: { box: { description: 'One server.', mcpServers: { it: fakeServer() } } },
      },
    });
    const message = Array.from({ length: 1_000 }, (_, index) => `word${index}`).join(' ');
    let uri = '';
    {
      await using server = await way.open(project);
      await openToolbox(server.session, 'box');
      const { result } = await server.session.call('box__it__echo', { message });
      const [text, link] = result.content;
      expect(text.text.split('\n')[0]).toContain(link.uri);
      expect(JSON.parse(text.text.split('\n').at(-1))).toHaveProperty('message');
      expect(text.text.length).toBeLessThan(1_500);
      expect(text.text).toContain('word0 ');
      expect(text.text).toContain('word999');
      expect(text.text).toContain(link.uri);
      expect(link).toMatchObject({
        type: 'resource_link',
        uri: expect.stringMatching(/^nexus:\/\/results\//),
      });
      const whole = await server.session.ask('resources/read', { uri: link.uri });
      expect(JSON.parse(whole.result.contents[0].text)).toEqual({ message });
      uri = link.uri;
    }
    await using restarted = await way.open(project);
    let read = '';
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { result } = await restarted.session.call('read_result', { uri, pick: ['message'], offset });
      const [note, part] = result.content;
      expect(result._meta?.['nexus/cut']).toBeUndefined();
      read += part.text;
      const [, next] = /Go on with offset (\d+)\.$/.exec(note.text) ?? [];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(read).toBe(message);
    const kept = await restarted.session.ask('resources/read', { uri });
    expect(JSON.parse(kept.result.contents[0].text)).toEqual({ message });
  },
);
