// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables are written like that
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../config/config-fault.ts';
import { parseConfig } from '../config/parse.ts';
import { toolboxSource } from './toolbox-source.ts';

const folder = resolve('/project');
const OWNER = { TOKEN: 'of-the-owner', ROOT: '/owner' };

function sourceOf(toolboxes: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const raw = { toolboxes, ...more };
  const parsed = parseConfig(raw, { plugins: [], environment: OWNER, source: 'test' });
  return toolboxSource({ ...parsed, folder, projectRoot: folder, trust: { parts: [], waiting: [] } });
}

function faultsOf(toolboxes: Record<string, unknown>): Record<string, string> {
  try {
    sourceOf(toolboxes);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return Object.fromEntries(error.faults.map(({ path, message }) => [path, message]));
  }
  return {};
}

const faultsOfServer = (server: Record<string, unknown>) => {
  const faults = faultsOf({ a: { mcpServers: { s: server } } });
  const prefix = 'toolboxes.a.mcpServers.s.';
  return Object.fromEntries(Object.entries(faults).map(([path, text]) => [path.replace(prefix, ''), text]));
};

describe('a toolbox of the config', () => {
  it('has the project’s folder by its name', () => {
    const server = { command: 'node', env: { FILE: '${workspaceFolder}/notes.jsonl' } };
    const { mcpServers } = sourceOf({ a: { mcpServers: { s: server } } }).settings('a', {});
    expect(mcpServers.s?.env).toEqual({ FILE: `${folder}/notes.jsonl` });
  });

  it('is taken as other servers of toolboxes write it', () => {
    const source = sourceOf(
      {
        dev: {
          description: 'Files and such',
          mcpServers: {
            filesystem: {
              command: 'node',
              args: ['server.js'],
              env: { A: 'b' },
              toolFilters: ['*'],
              transport: 'stdio',
            },
          },
        },
      },
      { toolMode: 'proxy' },
    );
    expect(source).toMatchObject({
      toolMode: 'proxy',
      toolboxes: [{ name: 'dev', description: 'Files and such', servers: ['filesystem'] }],
    });
    expect(source.settings('dev', {})).toEqual({
      description: 'Files and such',
      autoOpen: false,
      prefix: true,
      faults: [],
      mcpServers: {
        filesystem: {
          transport: 'stdio',
          command: 'node',
          args: ['server.js'],
          env: { A: 'b' },
          headers: {},
          toolFilters: ['*'],
          tools: {},
          isolation: 'shared',
        },
      },
    });
  });

  it.each([
    [{ url: 'https://a.example/mcp' }, 'http'],
    [{ url: 'https://a.example/mcp', type: 'sse' }, 'sse'],
    [{ url: 'https://a.example/mcp', type: 'streamable-http' }, 'http'],
    [{ url: 'https://a.example/mcp', transport: 'http', type: 'streamable-http' }, 'http'],
    [{ command: 'x', type: 'stdio' }, 'stdio'],
  ])('tells the transport of %j', (server, transport) => {
    const settings = sourceOf({ a: { mcpServers: { s: server } } }).settings('a', {});
    expect(settings.mcpServers.s?.transport).toBe(transport);
  });

  it('takes numbers and booleans where text is meant, and a folder relative to the config file', () => {
    const server = { command: 'x', env: { PORT: 3000, DEBUG: true }, cwd: 'servers/x' };
    const settings = sourceOf({ a: { mcpServers: { s: server } } }).settings('a', {});
    expect(settings.mcpServers.s).toMatchObject({
      env: { PORT: '3000', DEBUG: 'true' },
      cwd: resolve(folder, 'servers/x'),
    });
  });

  it('leaves disabled servers out', () => {
    const source = sourceOf({
      a: { mcpServers: { s: { command: 'x', disabled: true }, t: { command: 'y' } } },
    });
    expect(source.toolboxes[0]?.servers).toEqual(['t']);
    expect(Object.keys(source.settings('a', {}).mcpServers)).toEqual(['t']);
  });

  it.each([
    [{}, { command: expect.stringMatching(/needs the command/) }],
    [{ transport: 'http' }, { url: expect.stringMatching(/needs the url/) }],
    [{ command: 'x', url: 'https://a.example' }, { url: expect.stringMatching(/not both/) }],
    [{ command: 'x', headers: { A: 'b' } }, { headers: expect.stringMatching(/for http and sse/) }],
    [{ url: 'https://a.example', args: ['x'] }, { args: expect.stringMatching(/for stdio/) }],
    [
      { url: 'https://a.example', transport: 'sse', type: 'http' },
      { type: expect.stringMatching(/otherwise/) },
    ],
    [{ url: 'ftp://a.example' }, { url: expect.stringMatching(/Invalid URL/) }],
    [
      { url: 'https://a.example', headers: { 'a b': 'c' } },
      { headers: expect.stringMatching(/a b is no header/) },
    ],
    [{ command: 'x', toolFilter: ['*'] }, { toolFilter: 'no such key; did you mean toolFilters?' }],
    [{ command: 'x', transport: 'tcp' }, { transport: expect.stringMatching(/stdio/) }],
  ])('refuses %j, and says what is wrong', (server, faults) => {
    expect(faultsOfServer(server)).toEqual(faults);
  });

  it('never shows a value that may be a secret in a fault', () => {
    const [text] = Object.values(faultsOfServer({ env: { KEY: 'hunter2' }, args: ['--token', 'hunter2'] }));
    expect(text).toContain('command');
    expect(JSON.stringify(faultsOfServer({ command: 'x', env: 'hunter2' }))).not.toContain('hunter2');
    expect(JSON.stringify(faultsOfServer({ url: 'postgres://a:hunter2@b' }))).not.toContain('hunter2');
  });

  it.each(['nexus', '', ' a', 'a\n', 'x'.repeat(101)])('can not be named %j', (name) => {
    expect(Object.keys(faultsOf({ [name]: { mcpServers: {} } }))).toEqual([`toolboxes.${name}`]);
  });

  it.each(['dev', 'Sequential Thinking', '@scope/pkg', 'käse', 'a.b-c_d'])('can be named %j', (name) => {
    expect(faultsOf({ [name]: { mcpServers: { [name]: { command: 'x' } } } })).toEqual({});
  });
});

describe('variables in a toolbox', () => {
  const toolboxes = {
    a: { mcpServers: { s: { command: '${ROOT}/bin', env: { T: '${TOKEN}' }, timeoutMs: 500 } } },
    b: { mcpServers: { s: { command: 'x' } } },
  };

  it('are those of the host that opens it, not those of the server’s own environment', () => {
    const settings = sourceOf(toolboxes).settings('a', { TOKEN: 'of-the-host', ROOT: '' });
    expect(settings.mcpServers.s).toMatchObject({ command: '/bin', env: { T: 'of-the-host' } });
  });

  it('that two hosts have alike make one toolbox of both, worked out once', () => {
    const source = sourceOf({
      a: { mcpServers: { s: { command: 'node', args: ['${TOKEN}'] } } },
      b: { mcpServers: { s: { command: 'node' } } },
    });
    const [ada, bob] = [{ TOKEN: 'one' }, { TOKEN: 'two' }];
    const first = source.settings('a', ada);
    expect(source.settings('a', { ...ada, MORE: 'x' })).toBe(first);
    expect(source.settings('a', bob).mcpServers.s?.args).toEqual(['two']);
    expect(source.settings('b', bob)).toBe(source.settings('b', ada));
  });

  it('that are missing there cost their server alone, with variable, path and fix', () => {
    const source = sourceOf({
      ...toolboxes,
      a: { mcpServers: { ...toolboxes.a.mcpServers, t: { command: 'y' } } },
    });
    const settings = source.settings('a', { ROOT: '' });
    expect(Object.keys(settings.mcpServers)).toEqual(['t']);
    expect(settings.faults).toEqual([
      {
        server: 's',
        reason: expect.stringContaining(
          'toolboxes.a.mcpServers.s.env.T: the environment variable TOKEN is not set; set it, or give a default: ${TOKEN:-default}',
        ),
      },
    ]);
    expect(source.settings('b', {})).toMatchObject({ mcpServers: { s: { command: 'x' } }, faults: [] });
  });

  it('that are missing where the server begins leave it among the servers, and the config holds', () => {
    const source = sourceOf({ a: { mcpServers: { s: { command: '${NOWHERE}' }, t: { command: 'y' } } } });
    expect(source.toolboxes[0]?.servers).toEqual(['s', 't']);
    expect(source.settings('a', { NOWHERE: 'x' }).mcpServers.s?.command).toBe('x');
  });

  it('whose values do not fit there are told of by path, without the value', () => {
    const source = sourceOf({ a: { mcpServers: { s: { command: '${ROOT}' } } } });
    expect(source.settings('a', { ROOT: '' }).faults[0]?.reason).toMatch(
      /toolboxes\.a\.mcpServers\.s\.command: is not what the config allows/,
    );
  });
});
