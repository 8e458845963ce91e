import type { CallContext } from '@nexus/plugin-sdk';
import { fakeToolboxes, type PluginUnderTest, startPlugin } from '@nexus/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { filesTools } from '../../test/files-tools.ts';
import plugin from '../index.ts';

const running: PluginUnderTest[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
});

/** A toolbox of as many tools as `copies` of the two of the files server; and one that fails. */
async function start({
  isListed = true,
  copies = 1,
  faultCount = 0,
  instructions = [] as { server: string; text: string; chars: number }[],
  shapes = {} as Record<string, Record<string, unknown>>,
} = {}) {
  const tools = Array.from({ length: copies }, (_, copy) =>
    filesTools().tools.map((tool) => (copy === 0 ? tool : { ...tool, name: `${tool.name}_${copy}` })),
  ).flat();
  const toolboxes = { dev: { files: tools }, half: { files: tools, gone: { error: 'exit code 3' } } };
  const faults = Array.from({ length: faultCount }, (_, index) => ({
    server: 'files',
    tool: `tool_${index}`,
    reason: 'its description changed since it was accepted',
  }));
  const plug = await startPlugin(plugin, {
    toolboxes: fakeToolboxes({ toolboxes, isListed, faults, instructions, shapes }),
  });
  running.push(plug);
  return plug;
}

describe('open_toolbox', () => {
  it('says which tools it registered, and that they were there when it is called again', async () => {
    const plug = await start();
    const answer = { toolbox: 'dev', tools_registered: 2 };
    const tools = ['dev__files__list_files', 'dev__files__read_file'];
    expect(await plug.answer('open_toolbox', { toolbox: 'dev' })).toEqual({
      ...answer,
      alreadyOpen: false,
      tools,
    });
    expect(await plug.answer('open_toolbox', { toolbox: 'dev' })).toEqual({
      ...answer,
      alreadyOpen: true,
      tools,
    });
    expect(await plug.call('dev__files__list_files')).toMatchObject({
      structuredContent: { files: ['./a.txt'] },
    });
  });

  it('only counts tools that are too many to name', async () => {
    const plug = await start({ copies: 200 });
    const answer = await plug.answer('open_toolbox', { toolbox: 'dev' });
    expect(answer).toEqual({ toolbox: 'dev', alreadyOpen: false, tools_registered: 400 });
  });

  it('answers whole definitions for use_tool in proxy mode', async () => {
    const plug = await start({ isListed: false });
    const answer = await plug.answer('open_toolbox', { toolbox: 'dev' });
    expect(answer).toMatchObject({ toolbox: 'dev', alreadyOpen: false, total: 2 });
    expect(answer.tools).toMatchObject([
      {
        server: 'files',
        tool: 'list_files',
        title: 'List files',
        inputSchema: { properties: { folder: { default: '.', description: 'Which.' } } },
        outputSchema: { properties: { files: { type: 'array' } } },
        annotations: { readOnlyHint: true },
      },
      { server: 'files', tool: 'read_file' },
    ]);
    expect(answer).not.toHaveProperty('more');
  });

  it('says in proxy mode what results looked like so far', async () => {
    const shapes = { read_file: { type: 'object', properties: { text: { type: 'string' } } } };
    const plug = await start({ isListed: false, shapes });
    const { tools } = await plug.answer('open_toolbox', { toolbox: 'dev' });
    expect(tools).toMatchObject([{ tool: 'list_files' }, { resultSeen: '{ text?: string }' }]);
    expect((tools as object[])[0]).not.toHaveProperty('resultSeen');
  });

  it('says how many it does not show, and how to find them', async () => {
    const plug = await start({ isListed: false, copies: 100 });
    const answer = await plug.answer<{ tools: unknown[]; more: string }>('open_toolbox', { toolbox: 'dev' });
    expect(answer).toMatchObject({ total: 200 });
    expect(answer.tools.length).toBeGreaterThan(20);
    expect(answer.more).toContain(`${200 - answer.tools.length} tools are not shown; find_tools`);
    expect(JSON.stringify(answer).length).toBeLessThan(41_000);
  });

  it('passes on what servers say of their own use, within some 1 000 tokens for all of them', async () => {
    const long = { server: 'long', text: 'word '.repeat(1_000), chars: 5_000 };
    const plug = await start({
      instructions: [{ server: 'files', text: 'Begin with\nlist_files.', chars: 22 }, long, long, long],
    });
    const answer = await plug.answer<{ instructions: { whole: string }[] }>('open_toolbox', {
      toolbox: 'dev',
    });
    const { instructions } = answer;
    expect(answer).toMatchObject({ instructions_total: 4 });
    expect(instructions).toEqual([
      { server: 'files', text: 'Begin with\nlist_files.' },
      {
        server: 'long',
        text: `${'word '.repeat(400)}… (3000 more characters)`,
        whole: expect.stringMatching(/^nexus:/),
      },
    ]);
    const whole = await plug.host.results.read(instructions[1]?.whole ?? '', {} as never);
    expect(whole).toEqual({ text: long.text, mimeType: 'text/plain', whose: 'dev/long' });
    expect(JSON.stringify(instructions).length).toBeLessThan(4_100);
  });

  it('counts what a server said from what it sent, and says where not all of it was taken', async () => {
    const plug = await start({
      instructions: [{ server: 'files', text: 'x'.repeat(20_000), chars: 60_000 }],
    });
    const { instructions } = await plug.answer<{ instructions: { whole: string }[] }>('open_toolbox', {
      toolbox: 'dev',
    });
    expect(instructions).toEqual([
      {
        server: 'files',
        text: `${'x'.repeat(2_000)}… (58000 more characters)`,
        whole: expect.any(String),
        taken: 20_000,
      },
    ]);
    const whole = await plug.host.results.read(instructions[0]?.whole ?? '', {} as never);
    expect(whole?.text).toBe(`${'x'.repeat(20_000)}… (40000 more characters)`);
    expect(await plug.answer('list_toolboxes', {})).toMatchObject({
      toolboxes: [{ servers: [{ instructions: `${'x'.repeat(300)}… (59700 more characters)` }] }, {}],
    });
  });

  it('names tools that were left out, and counts them where they are many', async () => {
    const few = await (await start({ faultCount: 2 })).answer('open_toolbox', { toolbox: 'dev' });
    expect(few.faults).toMatchObject([{ tool: 'tool_0' }, { tool: 'tool_1' }]);
    expect(few).not.toHaveProperty('faults_total');
    const many = await (await start({ faultCount: 400 })).answer('open_toolbox', { toolbox: 'dev' });
    expect(many).toMatchObject({ faults_total: 400 });
    expect(JSON.stringify(many).length).toBeLessThan(6_000);
  });

  it('reports each server as it comes', async () => {
    const plug = await start();
    const reports: unknown[] = [];
    await plug.call('open_toolbox', { toolbox: 'dev' }, { progress: (report) => reports.push(report) });
    expect(reports).toMatchObject([{ message: 'files is open', total: 1 }]);
  });

  it('names the server that failed, and the nearest toolbox to one that is not there', async () => {
    const plug = await start();
    await expect(plug.answer('open_toolbox', { toolbox: 'half' })).rejects.toThrow('gone: exit code 3');
    await expect(plug.answer('open_toolbox', { toolbox: 'dov' })).rejects.toThrow('dev');
  });
});

describe('list_toolboxes', () => {
  const named = (count: number, servers: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `box${at}`,
        Object.fromEntries(
          Array.from({ length: servers }, (__, of) => [`server${of}`, { error: 'exit code 3' }]),
        ),
      ]),
    );

  it('gives as many whole toolboxes as the answer holds, and goes on behind them', async () => {
    const toolboxes = fakeToolboxes({ toolboxes: named(43, 2) });
    const plug = await startPlugin(plugin, { maxResultChars: 5_000, toolboxes });
    running.push(plug);
    const seen: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { content, structuredContent } = await plug.call('list_toolboxes', { offset });
      const size = JSON.stringify([content, structuredContent]).length;
      expect(size).toBeLessThan(5_500);
      const page = structuredContent as unknown as {
        toolboxes: { name: string }[];
        count: number;
        nextOffset?: number;
      };
      expect(page.count).toBe(43);
      seen.push(...page.toolboxes.map(({ name }) => name));
      offset = page.nextOffset;
    }
    expect(seen).toHaveLength(43);
    expect(new Set(seen).size).toBe(43);
  });

  it('looks at no more toolboxes than an answer may have', async () => {
    const toolboxes = fakeToolboxes({ toolboxes: named(1_000, 1) });
    const plug = await startPlugin(plugin, { maxResultChars: 100_000, toolboxes });
    running.push(plug);
    const list = vi.spyOn(plug.host.toolboxes, 'list');
    const page = await plug.answer<{ toolboxes: object[]; count: number }>('list_toolboxes', { offset: 900 });
    expect([page.toolboxes.length, page.count]).toEqual([100, 1_000]);
    await plug.answer('list_toolboxes');
    expect(list.mock.calls.map(([asked]) => asked.length)).toEqual([100, 300]);
  });

  it('keeps one that no answer holds, and says how many servers it has', async () => {
    const toolboxes = fakeToolboxes({ toolboxes: named(2, 60) });
    const plug = await startPlugin(plugin, { maxResultChars: 1_000, toolboxes });
    running.push(plug);
    const { content, structuredContent } = await plug.call('list_toolboxes');
    expect(JSON.stringify([content[0]?.text, structuredContent]).length).toBeLessThan(1_200);
    const page = structuredContent as unknown as {
      toolboxes: { whole: string; serverCount: number; servers: object[] }[];
      nextOffset?: number;
    };
    const [first] = page.toolboxes;
    expect({ ...first, next: page.nextOffset }).toMatchObject({ serverCount: 60, next: 1 });
    expect(first?.servers.length).toBeGreaterThan(0);
    const kept = await plug.host.results.read(first?.whole ?? '', {} as CallContext);
    expect(JSON.parse(kept?.text ?? '').servers).toHaveLength(60);
  });

  it('keeps only what its page names', async () => {
    const toolboxes = fakeToolboxes({ toolboxes: named(40, 60) });
    const plug = await startPlugin(plugin, { maxResultChars: 1_000, toolboxes });
    running.push(plug);
    const keep = vi.spyOn(plug.host.results, 'keep');
    const page = await plug.answer<{ toolboxes: { whole: string }[] }>('list_toolboxes');
    const uris = await Promise.all(keep.mock.results.map(async ({ value }) => (await value).uri));
    expect(page.toolboxes.length).toBeGreaterThan(0);
    expect(uris).toEqual(page.toolboxes.map(({ whole }) => whole));
  });
});

describe('close_toolbox and list_toolboxes', () => {
  it('take the tools away again, and show it', async () => {
    const plug = await start();
    await plug.answer('open_toolbox', { toolbox: 'dev' });
    expect(await plug.answer('list_toolboxes')).toMatchObject({
      count: 2,
      toolboxes: [
        {
          name: 'dev',
          description: 'The toolbox dev.',
          isOpen: true,
          servers: [{ name: 'files', toolCount: 2 }],
        },
        {
          name: 'half',
          isOpen: false,
          servers: [{}, { name: 'gone', state: 'failed', error: 'exit code 3' }],
        },
      ],
    });
    expect(await plug.answer('close_toolbox', { toolbox: 'dev' })).toEqual({
      toolbox: 'dev',
      tools_removed: 2,
    });
    expect(await plug.answer('close_toolbox', { toolbox: 'dev' })).toEqual({
      toolbox: 'dev',
      tools_removed: 0,
    });
    await expect(plug.call('dev__files__list_files')).rejects.toThrow('dev__files__list_files');
    await expect(plug.answer('close_toolbox', { toolbox: 'dov' })).rejects.toThrow('dev');
  });
});
