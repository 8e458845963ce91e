import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replayServer, testDataFolder } from '@nexus/testing';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { startServer } from '../harness/server-process.ts';
import { openToolbox } from '../harness/toolboxes.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

/** What a lean host pays before its first word: instructions and tools/list. */
const LEAN_TOKENS = 1_500;
const TIMEOUT_MS = 300_000;

const folder = testDataFolder();
const file = folder && join(folder, 'tool-catalogues.json');
if (!file) process.stderr.write('The catalogues of real servers are not here: their tests are skipped.\n');

type Catalogues = Record<string, { package: string; tools: { name: string }[] }>;

describe.skipIf(!file)('real servers', () => {
  const path = file ?? '';
  const read = () => JSON.parse(readFileSync(path, 'utf8')) as Catalogues;
  const toolboxes = () =>
    Object.fromEntries(
      Object.entries(read()).map(([name, catalogue]) => [
        name,
        { description: `Tools of ${catalogue.package}.`, mcpServers: { it: replayServer(path, name) } },
      ]),
    );

  const listsEveryTool = async (catalogues: Catalogues) => {
    await using project = await makeProject({ config: { toolboxes: toolboxes() } });
    await using server = startServer(project);
    await server.session.initialize();
    const names = new Set<string>();
    for (const [name, { tools }] of Object.entries(catalogues)) {
      const { faults } = await openToolbox(server.session, name);
      const { result } = await server.session.ask('tools/list');
      const listed = result.tools.filter((tool: { name: string }) => tool.name.startsWith(`${name}__it__`));
      expect(listed.length + (faults?.length ?? 0), name).toBe(tools.length);
      expect(faults ?? [], name).toEqual([]);
      const withoutOurs = (tool: Record<string, unknown>) => {
        const {
          'nexus/name': _,
          'nexus/origin': __,
          ...meta
        } = (tool._meta ?? {}) as Record<string, unknown>;
        const isOurs = tool._meta !== undefined && Object.keys(meta).length === 0;
        return JSON.stringify({ ...tool, name: '', _meta: isOurs ? undefined : tool._meta && meta });
      };
      const expected = tools.map((tool) => withoutOurs(tool as never)).sort();
      expect(listed.map(withoutOurs).sort(), name).toEqual(expected);
      for (const tool of listed) {
        expect(tool.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        names.add(tool.name);
      }
      await server.session.call('close_toolbox', { toolbox: name });
    }
    expect(names.size).toBe(Object.values(catalogues).flatMap(({ tools }) => tools).length);
  };

  verifiesApp('toolbox.catalogues', 'lists every tool of eight real servers with every key', () =>
    listsEveryTool(Object.fromEntries(Object.entries(read()).filter((_, at) => at % 8 === 0))),
  );

  slowlyVerifiesApp(
    'toolbox.catalogues',
    'lists every tool of 64 servers with every key',
    () => listsEveryTool(read()),
    TIMEOUT_MS,
  );

  verifiesApp('toolbox.lean', 'costs few tokens with 64 toolboxes', async () => {
    await using project = await makeProject({ config: { profile: 'lean', toolboxes: toolboxes() } });
    await using server = startServer(project);
    const { result } = await server.session.initialize();
    const { result: list } = await server.session.ask('tools/list');
    const cost = countTokens(result.instructions) + countTokens(JSON.stringify(list.tools));
    expect(cost).toBeLessThanOrEqual(LEAN_TOKENS);
    for (const name of Object.keys(read())) expect(result.instructions, name).toContain(name);
  });
});

verifiesApp('toolbox.lean', 'lists the few tools that reach all others', async () => {
  const config = { profile: 'lean', tools: { memory_query: { listed: true } } };
  await using project = await makeProject({ config });
  await using server = startServer(project);
  await server.session.initialize();
  const { result } = await server.session.ask('tools/list');
  expect(result.tools.map(({ name }: { name: string }) => name)).toEqual([
    'bundle',
    'find_tools',
    'memory_query',
    'open_toolbox',
    'use_tool',
  ]);
  const found = await server.session.call('find_tools', { queries: ['task bus status'] });
  const hit = found.result.structuredContent.hits.find(({ tool }: { tool: string }) => tool === 'bus_status');
  expect(hit).toMatchObject({ toolbox: 'nexus', server: 'nexus' });
  const address = { toolbox: 'nexus', server: 'nexus', tool: 'bus_status' };
  const used = await server.session.call('use_tool', { ...address, arguments: {} });
  const direct = await server.session.call('bus_status');
  expect(used.result.isError).toBeFalsy();
  expect(Object.keys(used.result.structuredContent)).toEqual(Object.keys(direct.result.structuredContent));
});
