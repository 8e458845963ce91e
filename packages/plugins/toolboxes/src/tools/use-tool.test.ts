import type { AnyTool, CallContext } from '@nexus/plugin-sdk';
import { fakeToolboxes, type PluginUnderTest, startPlugin } from '@nexus/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { filesTools, jsonTool, textTool } from '../../test/files-tools.ts';
import plugin from '../index.ts';

const onlyHere = { ...(filesTools().tools[0] as AnyTool), name: 'only_here' };

let running: PluginUnderTest;
let calls: unknown[];
beforeEach(async () => {
  const files = filesTools();
  calls = files.calls;
  const toolboxes = {
    dev: { files: files.tools },
    two: { files: files.tools, more: [...files.tools, onlyHere] },
  };
  running = await startPlugin(plugin, { toolboxes: fakeToolboxes({ toolboxes }) });
});
afterEach(() => running.stop());

const read = { toolbox: 'dev', server: 'files', tool: 'read_file' };
const use = (args: Record<string, unknown>) => running.call('use_tool', args);
const textOf = async (args: Record<string, unknown>) => (await use(args)).content[0]?.text;

describe('use_tool of a tool that may destroy', () => {
  const wiped: unknown[] = [];
  const wipe = (name: string, input: z.ZodObject): AnyTool => ({
    ...{ name, title: 'Wipe', description: 'Wipes.', input, output: z.object({}), budget: 'interactive' },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async call(given) {
      wiped.push(given);
      return {};
    },
  });
  const named = wipe(
    'wipe',
    z.object({ kind: z.string().optional(), names: z.array(z.string()).optional() }),
  );
  const tools = [named, wipe('wipe_any', z.looseObject({}))];
  let wiping: PluginUnderTest;
  beforeEach(async () => {
    wiped.length = 0;
    wiping = await startPlugin(plugin, {
      toolboxes: fakeToolboxes({ toolboxes: { dev: { files: tools } } }),
    });
  });
  afterEach(() => wiping.stop());

  it.each([
    [{ arguments: { kind: 'a' }, kind: 'b' }],
    [{ arguments: { kind: 'a' }, args: { names: ['b'] } }],
    [{ arguments: '{"kind":"a"}', kind: 'b' }],
    [{ arguments: '{"kind":"a","kind":"b"}' }],
    [{ arguments: null }],
    [{ arguments: { kind: null } }],
    [{ arguments: { names: 'a' } }],
    [{ args: { kind: 'a' }, kind: 'b' }],
    [{ arguments: { kind: 'a' }, other: 'b' }],
    [{ tool: 'wipe_any', arguments: { kind: 'a' }, kind: 'b' }],
    [{ tool: 'wipe_any', arguments: { kind: 'a' }, limit: 5 }],
    [{ tool: 'wipe_any', limit: 5 }],
    [{ tool: 'wipe_any', args: { kind: 'a' }, kind: 'b' }],
    [{ tool: 'wipe_any', arguments: null }],
  ])('makes no call with less than was written: %j', async (given) => {
    const { isError, content } = await wiping.call('use_tool', { tool: 'wipe', ...given });
    expect({ isError, wiped, text: content[0]?.text }).toMatchObject({ isError: true, wiped: [] });
  });

  it.each([
    [
      { arguments: { kind: 'a' }, names: ['b'] },
      { kind: 'a', names: ['b'] },
    ],
    [{ arguments: { kind: 'a' }, kind: 'a', limit: 5 }, { kind: 'a' }],
    [
      { kind: 'a', names: '["b"]' },
      { kind: 'a', names: ['b'] },
    ],
    [
      { tool: 'wipe_any', arguments: { kind: null }, names: 'x' },
      { kind: null, names: 'x' },
    ],
    [{ tool: 'wipe_any', arguments: '{"limit":5}' }, { limit: 5 }],
  ])('makes it with all of it: %j', async (given, all) => {
    expect((await wiping.call('use_tool', { tool: 'wipe', ...given })).isError).toBeFalsy();
    expect(wiped).toEqual([all]);
  });
});

describe('use_tool', () => {
  it('answers the result of the tool as it is, its errors and unknown keys too', async () => {
    expect(await use({ ...read, arguments: { path: 'a' } })).toEqual({
      content: [{ type: 'text', text: 'of a', unknown: 1 }],
      isError: false,
      _meta: { 'files/key': true, 'nexus/label': expect.anything() }, // of a plugin’s tool, which this fake has
      unknownKey: 'kept',
    });
    expect(await use({ ...read, arguments: { path: 'none' } })).toMatchObject({
      isError: true,
      content: [{ text: 'of none' }],
    });
  });

  it('takes arguments inline and repairs them as a direct call would, and says so', async () => {
    expect(await use({ ...read, path: 'a', limit: '3' })).toMatchObject({
      _meta: { 'files/key': true, 'nexus/normalized': { source: 'inline', repaired: ['limit'] } },
    });
    expect(calls).toEqual([{ path: 'a', limit: 3 }]);
  });

  it('takes what the tool declares beside its arguments, too', async () => {
    await use({ ...read, arguments: { path: 'a' }, limit: 3 });
    expect(calls).toEqual([{ path: 'a', limit: 3 }]);
  });

  it('refuses what neither it nor the tool declares, by name', async () => {
    expect(await use({ ...read, argumnts: { path: 'a' } })).toMatchObject({ isError: true });
    expect(await textOf({ ...read, arguments: { path: 'a' }, dispach: 'async' })).toMatch(
      /dispach is none of these, and no argument of dev__files__read_file, which takes path/,
    );
    expect(calls).toEqual([]);
  });

  it('looks at no more than a thousand fields beside arguments', async () => {
    const fields = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`f${at}`, at]));
    expect(await textOf({ ...read, ...fields, arguments: { path: 'a' } })).toBe(
      '1001 fields stand beside arguments, and at most 1000 are looked at. Put what is for the tool into arguments.',
    );
    expect(calls).toEqual([]);
  });

  it.each([
    ['received string', 'path: a'],
    ['received string', ''],
    ['received array', ['a']],
    ['is broken JSON', '{"path": "a'],
  ])(
    'says of arguments that are no object what they are, and what the tool needs: %s',
    async (said, value) => {
      const text = await textOf({ ...read, arguments: value });
      expect(text).toContain(said);
      expect(text).toContain('{"path":"<path>"}');
      expect(calls).toEqual([]);
    },
  );

  it('takes null arguments for none', async () => {
    expect(await textOf({ ...read, arguments: null })).toContain('path: is missing');
    await use({ ...read, arguments: null, path: 'a' });
    expect(calls).toEqual([{ path: 'a', limit: 10 }]);
  });

  it('reads arguments that are the text of an object, and says so', async () => {
    expect(await use({ ...read, arguments: '{"path":"a"}' })).toMatchObject({
      content: [{ text: 'of a' }],
      _meta: { 'files/key': true, 'nexus/normalized': { repaired: ['arguments'] } },
    });
    expect(calls).toEqual([{ path: 'a', limit: 10 }]);
  });

  it('takes null for what is left out, of its own names and parts, and says so of the names', async () => {
    const nothing = { toolbox: null, server: null, pick: null, offset: null, limit: null };
    const given = { tool: 'dev__files__read_file', ...nothing, arguments: { path: 'a', limit: '3' } };
    expect(await use(given)).toMatchObject({
      content: [{ text: 'of a' }],
      _meta: { 'nexus/normalized': { nulls: ['toolbox', 'server'], repaired: ['limit'] } },
    });
  });

  it('names what is wrong with the arguments of the tool', async () => {
    expect(await use({ ...read, arguments: { pth: 'a' } })).toMatchObject({ isError: true });
    expect(await textOf({ ...read, arguments: { pth: 'a' } })).toMatch(/dev__files__read_file[\s\S]*pth/);
  });

  it.each([
    [{ toolbox: 'dev', tool: 'list_files' }],
    [{ tool: 'dev__files__list_files' }],
    [{ toolbox: 'dev', tool: 'dev__files__list_files' }],
    [{ toolbox: 'dev', server: 'files', tool: 'dev__files__list_files' }],
    [{ toolbox: 'two', tool: 'only_here' }],
    [{ tool: 'only_here' }],
  ])('needs no more names than say which tool is meant: %j', async (named) => {
    expect((await use(named)).isError).toBeFalsy();
  });

  it('names the servers where a name stands for several tools, and says where to look where for none', async () => {
    expect(await textOf({ toolbox: 'two', tool: 'list_files' })).toContain(
      'Give one of these as `tool`: two__files__list_files, two__more__list_files.',
    );
    expect(await textOf({ toolbox: 'two', tool: 'lst_files' })).toMatch(
      /No server of toolbox two.*find_tools/,
    );
    expect(await textOf({ tool: 'dev__files__lst' })).toMatch(/No toolbox is known.*find_tools/);
    expect(calls).toEqual([]);
  });

  it('names the nearest toolbox, server and tool', async () => {
    expect(await textOf({ ...read, toolbox: 'dov' })).toContain('dev');
    expect(await textOf({ toolbox: 'dov', tool: 'x' })).toContain('dev');
    expect(await textOf({ ...read, server: 'file' })).toContain('files');
    expect(await textOf({ ...read, tool: 'reed_file' })).toContain('read_file');
  });

  it('names what is nearest by names that pass when they are copied', async () => {
    const copied = async (said: string | undefined) => {
      const [, tool] = /(?:did you mean|Did you mean|`tool`:) (\w+)/.exec(said ?? '') ?? [];
      return use({ tool, arguments: { path: 'a' } });
    };
    const missing = [
      { toolbox: 'two', tool: 'reed_file' },
      { tool: 'reed_file' },
      { tool: 'dev__files__reed_file' },
      { toolbox: 'two', tool: 'read_file' },
    ];
    for (const named of missing) {
      const said = await textOf(named);
      expect(await copied(said), said).toMatchObject({ content: [{ text: 'of a' }] });
    }
  });

  it('says where a tool is that is named whole beside another place, which may be an argument of it', async () => {
    expect(await textOf({ tool: 'dev__files__read_file', server: 'prod', path: 'a' })).toBe(
      'dev__files__read_file is a tool of server files in toolbox dev: leave server out, or, where the tool has such an argument, write {"tool":"dev__files__read_file","arguments":{"server":"prod"}}.',
    );
    expect(calls).toEqual([]);
  });

  it.each([
    [{ argumnts: { path: 'a' } }],
    [{ params: { path: 'a', limit: 2 } }],
    [{ pth: 'a', limit: 2 }],
    [{ arguments: { path: 'a' }, limitt: 2 }],
  ])(
    'shows the call that was meant where fields stand beside arguments that are none: %j',
    async (fields) => {
      const said = await textOf({ ...read, ...fields });
      const [, form = ''] = /This would pass: (.*)$/.exec(said ?? '') ?? [];
      expect((await use(JSON.parse(form))).content).toMatchObject([{ text: 'of a' }]);
      expect(await textOf({ ...read, zzz: 1 })).not.toContain('would pass');
    },
  );

  it('passes what stands beside on to a tool whose schema names nothing', async () => {
    const seen: unknown[] = [];
    const open = { ...jsonTool('open_one', {}), input: z.looseObject({}) };
    const tool = {
      ...open,
      call: async (input: unknown) => ({ count: seen.push(input) }),
    } as unknown as AnyTool;
    const toolboxes = fakeToolboxes({ toolboxes: { dev: { it: [tool] } } });
    const plug = await startPlugin(plugin, { toolboxes });
    for (const fields of [{ a: 1 }, { arguments: {}, a: 1 }, { args: { a: 1 } }, { arguments: '{"a":1}' }])
      await plug.call('use_tool', { tool: 'open_one', ...fields });
    await plug.stop();
    expect(seen).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }, { a: 1 }]);
  });

  it('adds nothing to the list that the host sees', async () => {
    await use({ ...read, arguments: { path: 'a' } });
    expect(await running.answer('list_toolboxes')).toMatchObject({
      toolboxes: [{ name: 'dev', isOpen: false }, { name: 'two' }],
    });
  });
});

describe('a part of a result', () => {
  it('is what pick, offset and limit name, and the tool’s own limit stays the tool’s', async () => {
    const items = Array.from({ length: 50 }, (_, id) => ({
      id,
      title: `title ${id}`,
      body: 'x'.repeat(200),
    }));
    const listing = jsonTool('list_items', { items, total: 50 });
    const plug = await startPlugin(plugin, {
      toolboxes: fakeToolboxes({ toolboxes: { dev: { it: [listing] } } }),
    });
    const call = (args: object) => plug.call('use_tool', { tool: 'list_items', ...args });
    const part = await call({ pick: ['items[].id', 'total'], offset: 2, limit: 2 });
    expect(part.content.map(({ text }) => text)).toEqual([
      'Items 3 to 4 of 50 of items. Go on with offset 4.',
      '{"items":[{"id":2},{"id":3}],"total":50}',
    ]);
    expect(part.structuredContent).toEqual({ items: [{ id: 2 }, { id: 3 }], total: 50 });
    const none = await call({ pick: ['item[].id'] });
    const [, uri = ''] =
      /^Nothing is at "item\[\]\.id"; it has "items", "total"\. So no part was taken; read_result takes parts of the whole result, which is (nexus:\S+)\.$/.exec(
        none.content[0]?.text ?? '',
      ) ?? [];
    expect([none.content.length, none.structuredContent]).toEqual([1, undefined]);
    const kept = await plug.host.results.read(uri, {} as CallContext);
    expect(JSON.parse(kept?.text ?? '')).toEqual({ items, total: 50 });
    await plug.stop();
  });

  it('is lines of a text wherever it is', async () => {
    const report = jsonTool('report', { result: { text: 'a\nb\nc', size: 3 }, status: 'completed' });
    const plug = await startPlugin(plugin, {
      toolboxes: fakeToolboxes({ toolboxes: { dev: { it: [report] } } }),
    });
    const args = { tool: 'report', pick: ['result.text'], offset: 1, limit: 1 };
    const { content, structuredContent } = await plug.call('use_tool', args);
    expect(content.map(({ text }) => text)).toEqual(['Lines 2 to 2 of 3. Go on with offset 2.', 'b\n']);
    expect(structuredContent).toBeUndefined();
    await plug.stop();
  });

  it.each([
    ['items', { items: Array.from({ length: 300 }, (_, id) => ({ id, title: `title ${id}` })) }, 250],
    ['lines, of which one is long', { text: `${'a\n'.repeat(400)}${'b'.repeat(3_000)}\nc` }, undefined],
  ])('is no more than the answer holds, and goes on where that ends: %s', async (_, whole, limit) => {
    const plug = await startPlugin(plugin, {
      maxResultChars: 1_000,
      toolboxes: fakeToolboxes({ toolboxes: { dev: { it: [jsonTool('all_of_it', whole)] } } }),
    });
    const pick = Object.keys(whole);
    const pages: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const args = { tool: 'all_of_it', pick, offset, ...(limit === undefined ? {} : { limit }) };
      const { content, structuredContent } = await plug.call('use_tool', args);
      const texts = content.map(({ text }) => text ?? '');
      expect(texts.join('').length + (JSON.stringify(structuredContent) ?? '').length).toBeLessThan(1_000);
      pages.push(texts.at(-1) ?? '');
      const next = /Go on with offset (\d+)\./.exec(texts[0] ?? '')?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    const all = 'text' in whole ? pages.join('') : pages.flatMap((page) => JSON.parse(page).items);
    expect(all).toEqual('text' in whole ? whole.text : whole.items);
    await plug.stop();
  });

  it('says whose words it is in, behind what is said of it, and keeps that with the whole', async () => {
    const line = {
      type: 'text',
      text: '[Nexus: what follows is of the server "dev/it", none of it of Nexus.]',
    };
    const said = { type: 'text', text: '{"a":["b\\n[\u2026 900 more","c"]}' };
    const embedded = { type: 'resource', resource: { uri: 'a:b', text: 'Go on with offset 3' } };
    const report = { ...textTool('report', ''), call: async () => ({ content: [line, said, embedded] }) };
    const plug = await startPlugin(plugin, {
      toolboxes: fakeToolboxes({ toolboxes: { dev: { it: [report] } } }),
    });
    const part = await plug.call('use_tool', { tool: 'report', pick: ['a'], limit: 1 });
    const note = { type: 'text', text: 'Items 1 to 1 of 2 of a. Go on with offset 1.' };
    const first = { type: 'text', text: '{"a":["b\\n[\u2026 900 more"]}' };
    expect(part.content).toEqual([note, line, first, embedded]);
    const { content } = await plug.call('use_tool', { tool: 'report', pick: ['b'] });
    expect(content.slice(1)).toEqual([line, embedded]);
    const [, quotes, uri = ''] = /^(.*)\n[\s\S]* is (nexus:\S+)\.$/.exec(content[0]?.text ?? '') ?? [];
    expect(quotes).toBe(
      '[Nexus: what stands in quotes here is of the server "dev/it", none of it of Nexus.]',
    );
    expect(await plug.host.results.read(uri, {} as CallContext)).toMatchObject({ whose: 'dev/it' });
    await plug.stop();
  });

  it('is its lines where it is JSON that is nested too deep to be read as a value', async () => {
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    const plug = await startPlugin(plugin, {
      toolboxes: fakeToolboxes({ toolboxes: { dev: { it: [textTool('deep', deep)] } } }),
    });
    const part = await plug.call('use_tool', { tool: 'deep', limit: 1 });
    expect(part.content.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Lines 1 to 1 of 4, .*Go on with offset 1\.$/),
      deep.slice(0, 10_000),
    ]);
    const picked = await plug.call('use_tool', { tool: 'deep', pick: ['a'] });
    const [, uri = ''] =
      /levels deep.* whole result, which is (nexus:\S+)\.$/.exec(picked.content[0]?.text ?? '') ?? [];
    expect(await plug.host.results.read(uri, {} as CallContext)).toMatchObject({ text: deep });
    await plug.stop();
  });

  it('is refused before the call where it can’t be read', async () => {
    expect(await textOf({ ...read, arguments: { path: 'a' }, pick: ['a..b'] })).toMatch(
      /"a\.\.b" has no name at character 3/,
    );
    expect(await textOf({ ...read, arguments: { path: 'a' }, offset: -1 })).toMatch(/can’t read offset/);
    expect(calls).toEqual([]);
  });
});
