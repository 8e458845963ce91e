// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables are written like that
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importableHosts, type Machine } from './host-files.ts';
import { planImport } from './plan-import.ts';

describe('planImport', () => {
  let machine: Machine;
  beforeEach(() => {
    // What a random name would be taken for elsewhere, too: one's own folders are no secret.
    const home = mkdtempSync(join(tmpdir(), 'nexus-import-hvs9Xk2Lq7-'));
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

  it('names the project’s folder in the environment, where a relative path is not the project’s', async () => {
    const env = { FILE: join(machine.projectRoot, 'notes.jsonl') };
    const { servers } = await planOfServer({ command: 'x', args: [`${machine.projectRoot}/src`], env });
    expect(servers['my-server']).toEqual({
      command: 'x',
      args: ['./src'],
      env: { FILE: '${workspaceFolder}/notes.jsonl' },
    });
  });

  it('takes the servers of Claude Desktop as they are', async () => {
    const github = { command: 'npx', args: ['-y', 'github'], env: { LOG: 'info' } };
    write(desktop(), { theme: 'dark', mcpServers: { github } });
    expect(await planOf('claude-desktop')).toEqual({
      files: [desktop()],
      servers: { github },
      variables: [],
      values: {},
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
        web: { transport: 'sse', url: 'https://w/sse', headers: { Authorization: 'Bearer ${WEB_API_KEY}' } },
        files: { command: 'x', args: ['./src', '${REGION}'] },
      },
      variables: [
        { name: 'WEB_API_KEY', reason: 'the input api-key' },
        { name: 'REGION', reason: 'the host’s variable region' },
      ],
      notes: ['files: without envFile, which only that host knows'],
    });
  });

  it.each([
    [
      { env: { API_KEY: 'hunter2', REGION: 'eu' } },
      { env: { API_KEY: '${MY_SERVER_API_KEY}', REGION: 'eu' } },
    ],
    [
      { env: { DB: 'postgres://ada:hunter2@db/x' } },
      { env: { DB: 'postgres://ada:${MY_SERVER_SECRET}@db/x' } },
    ],
    [{ args: ['--api-key', 'hunter2', '-v'] }, { args: ['--api-key', '${MY_SERVER_API_KEY}', '-v'] }],
    [{ args: ['--token=hunter2'] }, { args: ['--token=${MY_SERVER_TOKEN}'] }],
    [{ args: ['-e', 'SLACK_TOKEN=hunter2'] }, { args: ['-e', 'SLACK_TOKEN=${MY_SERVER_SLACK_TOKEN}'] }],
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
      url: 'https://a.example/mcp?api_key=${MY_SERVER_API_KEY}&page=1',
      headers: { Authorization: 'Bearer ${MY_SERVER_AUTHORIZATION}', 'X-Page': '1' },
    });
    expect(variables.map(({ name }) => name)).toEqual(['MY_SERVER_API_KEY', 'MY_SERVER_AUTHORIZATION']);
  });

  const HIDDEN = '${MY_SERVER_SECRET}';
  it.each([
    ['a Vault token', ['-y', 'vault-mcp', 'hvs.CAESIJ7vN2pQx'], ['-y', 'vault-mcp', HIDDEN]],
    ['a SendGrid key', ['SG.aB3dE5fG7.hI9jK1lM3nO5'], [HIDDEN]],
    ['a UUID', ['--site', '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed'], ['--site', '${MY_SERVER_SITE}']],
    ['a password after a short option', ['-p', 'hunter2'], ['-p', '${MY_SERVER_P}']],
    ['a password after a short option that is all letters', ['-p', 'horse'], ['-p', '${MY_SERVER_P}']],
    ['a password right behind a short option', ['-phunter2'], [`-p${HIDDEN}`]],
    ['a password after an option nobody knows', ['--login', 'hunter2'], ['--login', '${MY_SERVER_LOGIN}']],
    ['a user in a URL', ['https://ghp4Token9x@git.example/a'], [`https://${HIDDEN}@git.example/a`]],
    [
      'a webhook',
      ['https://hooks.example/services/T0A1B2C3D/XyZ8aB7cD6'],
      ['https://hooks.example/services/${MY_SERVER_SECRET}/${MY_SERVER_SECRET_2}'],
    ],
    ['an assignment of what nobody knows', ['-e', 'WHO=Xk29fLq81z'], ['-e', 'WHO=${MY_SERVER_WHO}']],
  ])('takes %s for a secret', async (_what, args, expected) => {
    const { servers } = await planOfServer({ command: 'x', args });
    expect(servers['my-server']).toEqual({ command: 'x', args: expected });
  });

  it.each([
    [['-y', '@modelcontextprotocol/server-github@2025.4.8']],
    [['run', '-i', '--rm', '-e', 'GITHUB_TOKEN', 'ghcr.io/github/github-mcp-server:v1.2']],
    [['--transport', 'stdio', '--port', '8080', '--verbose', '-j4']],
    [['mcp-remote', 'https://mcp.example.com/v1/sse?mode=fast']],
    [['--model', 'gpt-4o', 'src/**/*.ts']],
  ])('leaves %j as they are', async (args) => {
    const { servers, variables } = await planOfServer({ command: 'npx', args });
    expect(servers['my-server']).toEqual({ command: 'npx', args });
    expect(variables).toEqual([]);
  });

  it('takes what env and headers hold for secrets, unless it is known to be a setting', async () => {
    const { servers } = await planOfServer({
      command: 'x',
      env: {
        PGPASS: 'horse',
        ACCOUNT: 'hunter2',
        LOG_LEVEL: 'debug',
        PORT: '8080',
        URL: 'https://a.example/v2',
      },
    });
    expect(servers['my-server']?.env).toEqual({
      PGPASS: '${MY_SERVER_PGPASS}',
      ACCOUNT: '${MY_SERVER_ACCOUNT}',
      LOG_LEVEL: 'debug',
      PORT: '8080',
      URL: 'https://a.example/v2',
    });
  });

  it('names no variable as one that means something else: in the config, the environment or another server', async () => {
    write(desktop(), {
      mcpServers: {
        a: { command: 'x', env: { API_KEY: 'one' } },
        b: { command: 'x', env: { API_KEY: '${TOKEN}', TOKEN: 'two' } },
        c: { command: 'x', env: { KEY: 'three' } },
      },
    });
    machine = { ...machine, env: { KEY: 'of something else' } };
    const target = { text: '{"toolboxes": {"o": {"x": "${API_KEY}"}}}', before: () => undefined };
    const { servers } = await planImport(importableHosts['claude-desktop'].files(machine), machine, target);
    expect(servers).toMatchObject({
      a: { env: { API_KEY: '${A_API_KEY}' } },
      b: { env: { API_KEY: '${TOKEN}', TOKEN: '${B_TOKEN}' } },
      c: { env: { KEY: '${C_KEY}' } },
    });
  });

  it('masks no path of plain words, though nothing is there, and every one that may hide something', async () => {
    const env = {
      STORE: '/srv/notes/archive',
      KEPT: '~/cache/models',
      ODD: '/x/Qf29LkZ9aa71bQ',
      ONE: '/horse',
    };
    const { servers } = await planOfServer({ command: 'x', env });
    expect(servers['my-server']?.env).toEqual({
      STORE: '/srv/notes/archive',
      KEPT: '~/cache/models',
      ODD: '${MY_SERVER_ODD}',
      ONE: '${MY_SERVER_ONE}',
    });
  });

  it('says the server once, and takes a name that is set to just that already', async () => {
    write(desktop(), {
      mcpServers: {
        github: { command: 'x', env: { GITHUB_TOKEN: 'one', OTHER_KEY: 'two' } },
        more: { command: 'x', env: { KEY: 'three' } },
      },
    });
    machine = { ...machine, env: { OTHER_KEY: 'two', KEY: 'of something else' } };
    const { servers } = await planOf('claude-desktop');
    expect(servers).toMatchObject({
      github: { env: { GITHUB_TOKEN: '${GITHUB_TOKEN}', OTHER_KEY: '${OTHER_KEY}' } },
      more: { env: { KEY: '${MORE_KEY}' } },
    });
  });

  it('keeps the names that a server has in the config already', async () => {
    const server = { command: 'x', env: { API_KEY: 'one' } };
    write(desktop(), { mcpServers: { a: server } });
    const before = { command: 'x', env: { API_KEY: '${A_API_KEY}' } };
    const target = { text: JSON.stringify(before), before: () => before };
    const { servers } = await planImport(importableHosts['claude-desktop'].files(machine), machine, target);
    expect(servers.a).toEqual(before);
  });

  it('writes no path of this machine where there is another way, whatever its folders are called', async () => {
    const home = join(machine.home, 'x7Qf2LkZ9');
    const projectRoot = join(home, 'project');
    const program = join(home, 'bin/tool');
    write(program, '');
    chmodSync(program, 0o755);
    machine = { ...machine, home, projectRoot, env: { PATH: join(home, 'bin') } };
    const { servers } = await planOfServer({
      command: program,
      args: [
        join(projectRoot, 'a b.js'),
        `--dir=${projectRoot}`,
        join(home, 'notes'),
        `${projectRoot}-other`,
      ],
      env: { DATA_DIR: join(home, 'data') },
    });
    expect(servers['my-server']).toEqual({
      command: 'tool',
      args: ['./a b.js', '--dir=.', '${HOME}/notes', '${HOME}/project-other'],
      env: { DATA_DIR: '${HOME}/data' },
    });
  });

  it('keeps one variable for one secret, and tells two secrets of one name apart', async () => {
    const env = (TOKEN: string) => ({ command: 'x', env: { TOKEN } });
    write(desktop(), { mcpServers: { a: env('one'), b: env('two'), c: env('one'), 'b!': env('three') } });
    const { servers } = await planOf('claude-desktop');
    expect(Object.values(servers).map((server) => (server.env as { TOKEN: string }).TOKEN)).toEqual([
      '${A_TOKEN}',
      '${B_TOKEN}',
      '${A_TOKEN}',
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
    expect((await planOf('cursor')).notes).toEqual([
      expect.stringMatching(/^left out: .*mcp\.json is no JSON$/),
    ]);
    write(desktop(), 'hunter2 oops');
    await expect(planOf('claude-desktop')).rejects.toThrow(/claude_desktop_config\.json is no JSON$/);
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
