import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'vitest';
import { expertTeam, hasToolResult } from '../harness/expert-team.ts';
import { startHttpServer } from '../harness/http-server.ts';
import { startIssuer } from '../harness/issuer.ts';
import { makeProject, type Project } from '../harness/project.ts';
import { connectStdioClient } from '../harness/stdio-client.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const MARK = 'ssh-secret-mark';

/** A project beside a folder that is none of its business, with a link from one to the other. */
async function projectWithNeighbour(
  config: Record<string, unknown> = {},
): Promise<Project & { outside: string }> {
  const project = await makeProject({
    config,
    files: { 'src/inside.ts': `export const inside = '${MARK}';\n` },
  });
  const outside = join(project.root, '..', 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'id_rsa.ts'), `export const key = '${MARK}';\n`);
  await symlink(project.dataDir, project.path('data-link'));
  return { ...project, outside };
}

async function withRoots(client: Client, roots: readonly string[]): Promise<Client> {
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: roots.map((path) => ({ uri: pathToFileURL(path).href })),
  }));
  return client;
}

const newClient = () => new Client({ name: 'roots', version: '1' }, { capabilities: { roots: {} } });

async function textOf(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
  return JSON.stringify(await client.callTool({ name, arguments: args }));
}

verifiesApp('roots.trust', 'lets a client by HTTP name parts of the project and nothing else', async () => {
  await using issuer = await startIssuer();
  const auth = { issuer: issuer.url, audience: ['nexus-e2e'] };
  await using project = await projectWithNeighbour({ http: { auth } });
  await using server = await startHttpServer(project);
  const connect = async (roots: readonly string[]) => {
    const client = await withRoots(newClient(), roots);
    const headers = { authorization: `Bearer ${issuer.sign({ aud: 'nexus-e2e' })}` };
    const transport = new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
    await client.connect(transport as Parameters<Client['connect']>[0]);
    return client;
  };
  const all = await connect(['/', project.outside, project.dataDir]);
  const found = await textOf(all, 'search_codebase', { query: MARK });
  expect(found).toContain('src/inside.ts');
  expect(found).not.toContain('id_rsa');
  for (const filePath of [
    join(project.outside, 'id_rsa.ts'),
    join(project.dataDir, 'http-token'),
    'data-link/http-token',
  ]) {
    const refused = await textOf(all, 'extract_symbols', { filePath });
    expect(refused, filePath).toContain('NEXUS_OUTSIDE_ROOTS');
    const searched = await textOf(all, 'search_codebase', {
      query: String(server.token),
      directory: filePath,
    });
    expect(searched, filePath).toContain('NEXUS_OUTSIDE_ROOTS');
  }
  expect(await textOf(all, 'search_codebase', { query: String(server.token) })).toContain('"total":0');
  await all.close();
  const narrow = await connect([project.path('src')]);
  expect(await textOf(narrow, 'extract_symbols', { filePath: project.path('nexus.config.json') })).toContain(
    'NEXUS_OUTSIDE_ROOTS',
  );
  await narrow.close();
});

verifiesApp(
  'roots.trust',
  'lets a host of the same user add folders, but never what is Nexus’s own',
  async () => {
    await using project = await projectWithNeighbour();
    // Its data lies in the project, as some like it, and the root that the host names holds all of it.
    const dataDir = project.path('state', 'nexus [1]');
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, 'http-token'), MARK);
    await writeFile(join(dataDir, 'cached.ts'), `export const cached = '${MARK}';\n`);
    const client = await withRoots(newClient(), [join(project.root, '..'), dataDir]);
    await connectStdioClient(client, project, { NEXUS_DATA_DIR: dataDir });
    const found = await textOf(client, 'search_codebase', { query: MARK });
    expect(found).toContain('id_rsa.ts');
    expect(found).toContain('inside.ts');
    for (const [tool, args] of [
      ['search_codebase', { query: MARK, glob: '**' }],
      ['search_codebase', { query: MARK, glob: '**/http-token' }],
      ['search_codebase', { query: 'http-token', mode: 'path' }],
      ['search_codebase', { query: 'cached', mode: 'symbol' }],
      ['search_usages', { symbol: 'cached' }],
      ['extract_symbols', { glob: '**/cached.ts' }],
    ] as const) {
      const answer = await textOf(client, tool, args);
      expect(answer, JSON.stringify(args)).not.toMatch(/nexus \[1\]/);
    }
    expect(await textOf(client, 'extract_symbols', { filePath: join(dataDir, 'cached.ts') })).toContain(
      'NEXUS_OUTSIDE_ROOTS',
    );
    await client.close();
  },
);

slowlyVerifiesApp(
  'roots.trust',
  'holds a run to what of the project its client by HTTP may read',
  async () => {
    await using team = await expertTeam((request) =>
      hasToolResult(request)
        ? { text: 'It is so.' }
        : { tools: [{ name: 'read_file', input: { path: '../secret/cred.json' } }] },
    );
    await using project = await makeProject({
      files: { 'e1/src/open.ts': 'export const open = 1;\n', 'e1/secret/cred.json': `{"key":"${MARK}"}\n` },
      env: team.env,
    });
    await using server = await startHttpServer(project);
    const consult = async (...roots: string[]) => {
      const client = await withRoots(newClient(), roots);
      const headers = { authorization: `Bearer ${server.token}` };
      const transport = new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
      await client.connect(transport as Parameters<Client['connect']>[0]);
      const task = 'Compare e1/src/open.ts with e1/secret/cred.json.';
      const before = team.asked.length;
      const answer = await textOf(client, 'execute_expert', { expertId: 'code', task });
      await client.close();
      expect(answer).toContain('It is so.');
      return team.asked.slice(before).map(({ text }) => text);
    };
    const [shown = '', read = ''] = await consult(project.path('e1/src'));
    expect(shown).toContain('export const open = 1;');
    expect(shown).not.toContain(MARK);
    expect(read).toContain('outside the roots');
    expect(read).not.toContain(MARK);
    // The same of a client that may read all of it: what is left out above is left out by its roots.
    const [all = ''] = await consult(project.root);
    expect(all).toContain(MARK);
  },
);

slowlyVerifiesApp('roots.trust', 'tells a client by HTTP of no file that its roots leave out', async () => {
  await using project = await makeProject({
    files: {
      'CLAUDE.md': `${MARK}\n`,
      'docs/architecture.md': `${MARK}\n`,
      'src/open.ts': 'export const open = 1;\n',
      '.nexus/workflows/own.yaml': `name: own-work\ndescription: ${MARK}\nsteps: [{ id: a, uses: 'tool:list_workflows', with: {} }]\n`,
    },
  });
  const elsewhere = join(project.root, '..', 'elsewhere');
  await mkdir(elsewhere);
  await using server = await startHttpServer(project);
  const told = async (root: string) => {
    const client = await withRoots(newClient(), [root]);
    const headers = { authorization: `Bearer ${server.token}` };
    const transport = new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
    await client.connect(transport as Parameters<Client['connect']>[0]);
    const ref = { type: 'ref/prompt', name: 'code-review' } as const;
    const uris = ['nexus://project_context', 'nexus://architecture'];
    const answers = [
      ...(await Promise.all(uris.map((uri) => textOf(client, 'read_result', { uri }).catch(String)))),
      ...(await Promise.all(
        uris.map((uri) => client.readResource({ uri }).then((read) => JSON.stringify(read), String)),
      )),
      await textOf(client, 'list_workflows', {}),
      await textOf(client, 'run_workflow', { template: '.nexus/workflows/own.yaml', dryRun: true }),
    ];
    const { completion } = await client.complete({ ref, argument: { name: 'path', value: '' } });
    await client.close();
    return { all: answers.join('\n'), marks: answers.filter((each) => each.includes(MARK)), completion };
  };
  const narrow = await told(project.path('src'));
  expect(narrow.marks).toEqual([]);
  expect(narrow.all).not.toContain('own-work');
  expect(narrow.all).toContain('bug-fix');
  expect(narrow.completion.values).toEqual(['src/']);
  const none = await told(elsewhere);
  expect(none.marks).toEqual([]);
  expect(none.all).not.toContain('own-work');
  expect(none.completion.values).toEqual([]);
  // What is left out above is left out by the roots.
  const whole = await told(project.root);
  expect(whole.marks.length).toBeGreaterThanOrEqual(5);
  expect(whole.all).toContain('own-work');
  expect(whole.completion.values).toContain('CLAUDE.md');
});
