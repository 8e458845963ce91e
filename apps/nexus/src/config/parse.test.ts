// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables are written like that
import { definePlugin, defineTool } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigError } from './config-fault.ts';
import { parseConfig } from './parse.ts';

const find = defineTool({
  name: 'find_things',
  title: 'Find things',
  description: 'Finds things.',
  input: z.object({ limit: z.int().max(50).describe('How many') }),
  output: z.object({}),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  call: async () => ({}),
});

const things = definePlugin({
  name: 'things',
  options: z.object({ depth: z.int().default(3) }),
  tools: [find],
  start: async () => undefined,
  async stop() {},
});

const environment = { NAME: 'from-host', EMPTY: '' };
const parse = (raw: Record<string, unknown>) =>
  parseConfig(raw, { plugins: [things], environment, source: 'test.json' });

function faultsOf(raw: Record<string, unknown>) {
  try {
    parse(raw);
  } catch (error) {
    if (error instanceof ConfigError)
      return Object.fromEntries(error.faults.map((each) => [each.path, each.message]));
    throw error;
  }
  return {};
}

describe('parseConfig', () => {
  it('fills in defaults, of the config and of each plugin', () => {
    const { config, pluginOptions } = parse({});
    expect(config.server.name).toBe('nexus');
    expect(config.limits.maxMessageBytes).toBe(16 * 1024 * 1024);
    expect(pluginOptions).toEqual({ things: { depth: 3 } });
  });

  it('takes no ref for an anchor that holds its user’s own work, and says why', () => {
    const withRef = (ref: string) => faultsOf({ audit: { anchors: [{ git: '.', ref }] } });
    for (const ref of ['refs/nexus/audit', 'refs/audit/of/shop', 'refs/headsign/a'])
      expect(withRef(ref)).toEqual({});
    for (const ref of [
      'HEAD',
      'main',
      'refs/heads/main',
      'refs/tags/v1',
      'refs/remotes/origin/main',
      'refs/stash',
      'refs/notes/commits',
    ]) {
      expect(Object.values(withRef(ref)).join(), ref).toMatch(
        /such as refs\/nexus\/audit: branches, .* hold their user’s work/,
      );
    }
  });

  it('reports all faults at once, each with path, value found and what is allowed', () => {
    const faults = faultsOf({
      servr: {},
      limits: { burst: 0, brust: 1 },
      things: { depth: 'deep', dpeth: 1 },
      tools: { find_thing: {}, find_things: { timeoutMs: 5, defaults: { limit: 51, limt: 1 } } },
    });
    expect(faults).toEqual({
      servr: 'no such key; did you mean server?',
      'limits.burst': 'Too small: expected number to be >=1; found 0',
      'limits.brust': 'no such key; did you mean burst?',
      'things.depth': 'Invalid input: expected number, received string; found "deep"',
      'things.dpeth': 'no such key; did you mean depth?',
      'tools.find_thing': 'no such key; did you mean find_things?',
      'tools.find_things.timeoutMs': 'Too small: expected number to be >=100; found 5',
      'tools.find_things.defaults.limit': 'Too big: expected number to be <=50; found 51',
      'tools.find_things.defaults.limt': 'no such key; did you mean limit?',
    });
  });

  it('lists what is allowed where no key is near', () => {
    expect(faultsOf({ permissions: { zzz: 1 } })['permissions.zzz']).toBe(
      'no such key; allowed: allow, deny, reachOut',
    );
  });
});

describe('variables in the config', () => {
  it('are put in before anything is checked, in every section', () => {
    const { config, written } = parse({
      server: { name: '${NAME}', instructions: '[${EMPTY}]' },
      toolMode: '${MODE:-proxy}',
    });
    expect(config).toMatchObject({
      server: { name: 'from-host', instructions: '[]' },
      toolMode: 'proxy',
    });
    expect(written.toolMode).toBe('${MODE:-proxy}');
  });

  it('that are missing are told of, all at once and with the other faults, but not where they cost a server alone', () => {
    expect(
      faultsOf({
        servr: {},
        profile: '${PROFILE}',
        toolboxes: {
          a: {
            mcpServers: { s: { command: '${TOOL}', args: ['x', '${PROFILE}'] }, t: { command: '${EMPTY}' } },
          },
        },
      }),
    ).toEqual({
      servr: 'no such key; did you mean server?',
      profile: 'the environment variable PROFILE is not set; set it, or give a default: ${PROFILE:-default}',
      'toolboxes.a.mcpServers.t.command': expect.stringContaining('Too small'),
    });
  });

  it('show themselves in a fault, and never their values', () => {
    expect(faultsOf({ limits: { burst: '${NAME}' }, toolMode: '${NAME}' })).toEqual({
      'limits.burst': expect.stringMatching(/expected number, received string; found "\$\{NAME\}"$/),
      toolMode: expect.stringMatching(/found "\$\{NAME\}"$/),
    });
  });
});

describe('a plugin named like a section of Nexus', () => {
  it('has no options, and the section stays what it is', () => {
    const toolboxes = definePlugin({
      name: 'toolboxes',
      options: z.object({}),
      tools: [],
      start: async () => undefined,
      async stop() {},
    });
    const raw = { toolboxes: { a: { mcpServers: {} } } };
    const parsed = parseConfig(raw, { plugins: [toolboxes], environment, source: 'test.json' });
    expect(parsed.pluginOptions).toEqual({});
    expect(Object.keys(parsed.config.toolboxes)).toEqual(['a']);
  });
});

describe('the mcp block of older configs', () => {
  it('is read as server and tools', () => {
    const { config, notes } = parse({
      mcp: {
        server: { name: 'nexus-agents', version: '2.2.0', capabilities: { tools: true }, transport: 'stdio' },
        tools: { find_things: { timeout: 300_000 }, orchestrate: { maxTurns: 10 } },
      },
    });
    expect(config.server.name).toBe('nexus-agents');
    expect(config.tools.find_things?.timeoutMs).toBe(300_000);
    expect(notes).toEqual([
      'mcp.server.version: Nexus reports its own version',
      'mcp.server.capabilities: tools, resources and prompts are on',
      'mcp.tools.orchestrate: there is no tool orchestrate here',
    ]);
  });

  it('yields to our own sections where both speak', () => {
    const { config } = parse({ mcp: { server: { name: 'old' } }, server: { name: 'new' } });
    expect(config.server.name).toBe('new');
  });

  it('names what it can not follow', () => {
    expect(faultsOf({ mcp: { server: { transport: 'tcp', prot: 1 }, extra: 1 } })).toEqual({
      'mcp.extra': 'no such key; allowed: server, tools',
      'mcp.server.transport': 'must be stdio; found "tcp"',
      'mcp.server.prot': 'no such key; allowed: name, version, capabilities, transport',
    });
  });
});
