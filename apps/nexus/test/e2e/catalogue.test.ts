import { expect } from 'vitest';
import { makeProject } from '../harness/project.ts';
import { sharedServer } from '../harness/shared-server.ts';
import { verifies, verifiesAnew } from '../harness/verifies.ts';

const FILES = {
  'CLAUDE.md': '# How to work here\n',
  'docs/architecture.md': '# How it is built\n',
  'src/main.ts': '',
  'src/maintenance.md': '',
  'src/other.ts': '',
};

const shared = sharedServer({ slowPlugin: true });

verifiesAnew('resources.read', 'reads the project’s resources', async (way) => {
  const config = { server: { instructions: 'at https://user:hunter2@example.org' } };
  await using project = await makeProject({ files: FILES, config });
  await using server = await way.open(project);
  const { result } = await server.session.ask('resources/list');
  const uris = result.resources.map(({ uri }: { uri: string }) => uri);
  expect(uris).toEqual([...uris].sort());
  expect(uris).toEqual(
    expect.arrayContaining(['nexus://architecture', 'nexus://config', 'nexus://project_context']),
  );
  const read = async (uri: string) => {
    const answer = await server.session.ask('resources/read', { uri });
    return answer.result.contents[0];
  };
  expect(await read('nexus://project_context')).toEqual({
    uri: 'nexus://project_context',
    mimeType: 'text/markdown',
    text: FILES['CLAUDE.md'],
  });
  expect((await read('nexus://architecture')).text).toBe(FILES['docs/architecture.md']);
  const shown = await read('nexus://config');
  expect(shown.mimeType).toBe('application/json');
  expect(JSON.parse(shown.text)).toMatchObject({ projectRoot: project.root, dataDir: project.dataDir });
  expect(shown.text).not.toContain('hunter2');
});

verifies('resources.missing', 'says which resource is not there', async (way) => {
  const { server } = await shared(way);
  for (const uri of ['nexus://confg', 'nexus://project_context', 'file:///etc/passwd']) {
    const { error } = await server.session.ask('resources/read', { uri });
    expect(error, uri).toMatchObject({ code: -32002, data: { uri } });
  }
  const { error } = await server.session.ask('resources/subscribe', { uri: 'nexus://nothing' });
  expect(error?.code).toBe(-32002);
});

verifies('resources.missing', 'lists its templates, and has no kept results at first', async (way) => {
  const { server } = await shared(way);
  const { result } = await server.session.ask('resources/templates/list');
  const uris = result.resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate);
  expect([...uris].sort()).toEqual([
    'nexus://inbox/{worker}',
    'nexus://memory/{entry}/{version}',
    'nexus://results/{id}',
    'nexus://runs/{id}',
    'nexus://runs/{id}/after/{after}',
    'nexus://runs/{id}/steps/{step}',
    'nexus://tasks/{taskId}/{part}',
    'nexus://votes/{recordId}',
  ]);
  const { error } = await server.session.ask('resources/read', { uri: 'nexus://results/none' });
  expect(error?.code).toBe(-32002);
});

verifies('resources.subscribe', 'tells a subscriber of updates until it unsubscribes', async (way) => {
  const { server } = await shared(way);
  const { session } = server;
  const uri = 'nexus://counter';
  const updates = () => session.received.filter(({ method }) => method === 'notifications/resources/updated');
  await session.call('slow_touch');
  expect(updates()).toEqual([]);
  await session.ask('resources/subscribe', { uri });
  await session.call('slow_touch');
  await session.waitFor(({ method }) => method === 'notifications/resources/updated');
  expect(updates().map(({ params }) => params)).toEqual([{ uri }]);
  const { result } = await session.ask('resources/read', { uri });
  expect(result.contents[0].text).toBe('2');
  await session.ask('resources/unsubscribe', { uri });
  await session.call('slow_touch');
  await session.ask('ping');
  expect(updates()).toHaveLength(1);
});

const PROMPTS = {
  'code-review': { path: 'src/main.ts', focus: 'errors' },
  'orchestrate-task': { task: 'mend the roof' },
  'research-survey': { topic: 'roofs', depth: 'thorough' },
  'security-review': { path: 'src' },
};

verifies('prompts.get', 'renders the four prompts', async (way) => {
  const { server } = await shared(way);
  const { session } = server;
  const { result } = await session.ask('prompts/list', { cursor: 'ignored' });
  expect(result.prompts.map(({ name }: { name: string }) => name)).toEqual(Object.keys(PROMPTS));
  const tools = await session.ask('tools/list');
  const names = tools.result.tools.map(({ name }: { name: string }) => name);
  const named = new Set<string>();
  for (const [name, values] of Object.entries(PROMPTS)) {
    const answer = await session.ask('prompts/get', { name, arguments: values });
    const [{ role, content }] = answer.result.messages;
    expect({ role, type: content.type }).toEqual({ role: 'user', type: 'text' });
    for (const value of Object.values(values)) expect(content.text).toContain(value);
    for (const [tool] of content.text.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)) named.add(tool);
  }
  expect(names).toEqual(expect.arrayContaining([...named]));
  expect([...named]).toEqual(
    expect.arrayContaining(['research_discover', 'research_query', 'research_add', 'research_synthesize']),
  );
});

verifies('prompts.get', 'names the arguments and prompts that are missing', async (way) => {
  const { server } = await shared(way);
  const { session } = server;
  const missing = await session.ask('prompts/get', { name: 'code-review', arguments: {} });
  expect(missing.error).toMatchObject({ code: -32602, message: expect.stringContaining('path') });
  const unknown = await session.ask('prompts/get', { name: 'code-revew' });
  expect(unknown.error).toMatchObject({ code: -32602, message: expect.stringContaining('code-review') });
});

verifiesAnew('prompts.complete', 'completes paths of the project, and choices', async (way) => {
  await using project = await makeProject({ files: FILES });
  await using server = await way.open(project);
  const complete = async (name: string, argument: { name: string; value: string }) => {
    const ref = { type: 'ref/prompt', name };
    const { result } = await server.session.ask('completion/complete', { ref, argument });
    return result.completion;
  };
  expect(await complete('code-review', { name: 'path', value: 'src/ma' })).toEqual({
    values: ['src/main.ts', 'src/maintenance.md'],
    total: 2,
    hasMore: false,
  });
  expect((await complete('security-review', { name: 'path', value: '../' })).values).toEqual([]);
  expect((await complete('research-survey', { name: 'depth', value: 'th' })).values).toEqual(['thorough']);
});
