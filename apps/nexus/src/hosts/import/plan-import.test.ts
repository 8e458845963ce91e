// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables are written like that
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importableHosts, type Machine } from './host-files.ts';
import { planImport } from './plan-import.ts';

describe('planImport', () => {
  let machine: Machine;
  beforeEach(() => {
    const home = mkdtempSync(join(tmpdir(), 'nexus-import-'));
    machine = { platform: 'linux', home, env: {}, projectRoot: join(home, 'project') };
  });
  afterEach(() => rmSync(machine.home, { recursive: true, force: true }));

  function write(file: string, content: unknown): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  const planOf = (host: keyof typeof importableHosts) =>
    planImport(importableHosts[host].files(machine), machine);
  const desktop = () => importableHosts['claude-desktop'].files(machine)[0] ?? '';
  async function planOfServer(server: unknown) {
    write(desktop(), { mcpServers: { 'my-server': server } });
    return planOf('claude-desktop');
  }

  it('takes the servers of Claude Desktop as they are', async () => {
    const github = { command: 'npx', args: ['-y', 'github'], env: { LOG: 'info' } };
    write(desktop(), { theme: 'dark', mcpServers: { github } });
    expect(await planOf('claude-desktop')).toEqual({
      files: [desktop()],
      servers: { github },
      variables: [],
      notes: [],
    });
  });

  it('lets what Claude Code has for this project alone win over the project’s file, and that over the user’s', async () => {
    const { home, projectRoot } = machine;
    write(join(home, '.claude.json'), {
      mcpServers: { a: { command: 'user' }, b: { command: 'user' }, c: { type: 'http', url: 'https://c' } },
      projects: {
        [projectRoot]: { mcpServers: { a: { command: 'local' } } },
        '/other': { mcpServers: { d: { command: 'other' } } },
      },
    });
    write(join(projectRoot, '.mcp.json'), { mcpServers: { a: { command: 'team' }, b: { command: 'team' } } });
    expect((await planOf('claude-code')).servers).toEqual({
      a: { command: 'local' },
      b: { command: 'team' },
      c: { url: 'https://c' },
    });
  });

  it('reads JSON with comments, inputs and variables of VS Code', async () => {
    write(
      join(machine.projectRoot, '.vscode/mcp.json'),
      `{
        // asked for at start
        "inputs": [{ "id": "api-key", "type": "promptString", "password": true }],
        "servers": {
          "web": { "type": "sse", "url": "https://w/sse", "headers": { "Authorization": "Bearer \${input:api-key}" } },
          "files": { "command": "x", "args": ["\${workspaceFolder}/src", "\${env:region}"], "envFile": ".env" },
        },
      }`,
    );
    expect(await planOf('vscode')).toMatchObject({
      servers: {
        web: { transport: 'sse', url: 'https://w/sse', headers: { Authorization: 'Bearer ${API_KEY}' } },
        files: { command: 'x', args: [`${machine.projectRoot}/src`, '${REGION}'] },
      },
      variables: [
        { name: 'API_KEY', reason: 'the input api-key' },
        { name: 'REGION', reason: 'the host’s variable region' },
      ],
      notes: ['files: without envFile, which only that host knows'],
    });
  });

  it.each([
    [{ env: { API_KEY: 'hunter2', REGION: 'eu' } }, { env: { API_KEY: '${API_KEY}', REGION: 'eu' } }],
    [
      { env: { DB: 'postgres://ada:hunter2@db/x' } },
      { env: { DB: 'postgres://ada:${MY_SERVER_SECRET}@db/x' } },
    ],
    [{ args: ['--api-key', 'hunter2', '-v'] }, { args: ['--api-key', '${API_KEY}', '-v'] }],
    [{ args: ['--token=hunter2'] }, { args: ['--token=${TOKEN}'] }],
    [{ args: ['-e', 'SLACK_TOKEN=hunter2'] }, { args: ['-e', 'SLACK_TOKEN=${SLACK_TOKEN}'] }],
    [{ env: { API_KEY: '${MINE}' } }, { env: { API_KEY: '${MINE}' } }],
    [{ env: { API_KEY: '' } }, { env: { API_KEY: '' } }],
  ])('moves secrets to variables: %j', async (part, expected) => {
    const { servers } = await planOfServer({ command: 'x', ...part });
    expect(servers['my-server']).toEqual({ command: 'x', ...expected });
    expect(JSON.stringify(servers)).not.toContain('hunter2');
  });

  it('moves secrets out of urls and headers, and keeps the scheme', async () => {
    const { servers, variables } = await planOfServer({
      url: 'https://a.example/mcp?api_key=hunter2&page=1',
      headers: { Authorization: 'Bearer hunter3', 'X-Page': '1' },
    });
    expect(servers['my-server']).toEqual({
      url: 'https://a.example/mcp?api_key=${API_KEY}&page=1',
      headers: { Authorization: 'Bearer ${AUTHORIZATION}', 'X-Page': '1' },
    });
    expect(variables.map(({ name }) => name)).toEqual(['API_KEY', 'AUTHORIZATION']);
  });

  it('keeps one variable for one secret, and tells two secrets of one name apart', async () => {
    const env = (TOKEN: string) => ({ command: 'x', env: { TOKEN } });
    write(desktop(), { mcpServers: { a: env('one'), b: env('two'), c: env('one'), 'b!': env('three') } });
    const { servers } = await planOf('claude-desktop');
    expect(Object.values(servers).map((server) => (server.env as { TOKEN: string }).TOKEN)).toEqual([
      '${TOKEN}',
      '${B_TOKEN}',
      '${TOKEN}',
      '${B_TOKEN_2}',
    ]);
  });

  it('leaves Nexus out, whatever it is called there, and nothing else that sounds like it', async () => {
    write(desktop(), {
      mcpServers: {
        hub: { command: 'node', args: ['/opt/nexus-mcp/bin/nexus.js', '--mode=server'] },
        other: { command: 'nexus', args: ['--mode=client'] },
        jira: { command: 'nexus-jira', args: ['serve'] },
      },
    });
    const { servers, notes } = await planOf('claude-desktop');
    expect(Object.keys(servers)).toEqual(['jira']);
    expect(notes).toEqual(['hub: left out, it is Nexus itself', 'other: left out, it is Nexus itself']);
  });

  it.each([
    [{ args: ['x'] }, 'my-server: left out, it has neither a command nor a url'],
    [{ url: 'ftp://a:hunter2@b' }, 'my-server: left out, Invalid URL; found "ftp://a:********@b"'],
    [{ command: 'x', type: 'ws' }, 'my-server: left out, its type is "ws"; allowed: stdio, http, sse'],
  ])('leaves out what can not run: %j', async (server, note) => {
    const { servers, notes } = await planOfServer(server);
    expect({ servers, notes }).toEqual({ servers: {}, notes: [note] });
  });

  it('finds nothing where the host has no file, and names a file that is broken without its text', async () => {
    expect(await planOf('cursor')).toMatchObject({ files: [], servers: {} });
    write(join(machine.home, '.cursor/mcp.json'), '{"token": "hunter2" oops');
    await expect(planOf('cursor')).rejects.toThrow(/mcp\.json is no JSON$/);
  });
});

describe('importableHosts', () => {
  const at = (platform: NodeJS.Platform, env = {}) => {
    const machine = { platform, home: '/h', env, projectRoot: '/p' };
    return [importableHosts['claude-desktop'], importableHosts.vscode].map((host) =>
      host.files(machine).at(-1)?.replaceAll('\\', '/'),
    );
  };

  it.each([
    ['linux', {}, '/h/.config/Claude/claude_desktop_config.json', '/h/.config/Code/User/mcp.json'],
    ['linux', { XDG_CONFIG_HOME: '/x' }, '/x/Claude/claude_desktop_config.json', '/x/Code/User/mcp.json'],
    [
      'darwin',
      {},
      '/h/Library/Application Support/Claude/claude_desktop_config.json',
      '/h/Library/Application Support/Code/User/mcp.json',
    ],
    ['win32', { APPDATA: '/a' }, '/a/Claude/claude_desktop_config.json', '/a/Code/User/mcp.json'],
  ] as const)('looks where the hosts of %s keep their files', (platform, env, ...expected) => {
    expect(at(platform, env)).toEqual(expected);
  });
});
