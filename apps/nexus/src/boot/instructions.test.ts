import { type AnyPlugin, definePlugin, defineTool } from '@nexus/plugin-sdk';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseConfig } from '../config/parse.ts';
import { describeServer } from './instructions.ts';

const TOOLS = ['bundle', 'find_tools', 'list_toolboxes', 'open_toolbox', 'use_tool'];
const plugin: AnyPlugin = definePlugin({
  name: 'things',
  options: z.object({}),
  tools: TOOLS.map((name) =>
    defineTool({
      name,
      title: name,
      description: name,
      input: z.object({}),
      output: z.object({}),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      budget: 'interactive',
      call: async () => ({}),
    }),
  ),
  start: async () => undefined,
  async stop() {},
});

function told(
  raw: Record<string, unknown>,
  warnings: readonly string[] = [],
  plugins: Parameters<typeof describeServer>[1] = [plugin],
): string {
  const { config } = parseConfig(raw, { plugins: [plugin], environment: {}, source: 'test' });
  return describeServer({ config, warnings }, plugins, config.profile === 'lean' ? 'lean' : 'full');
}

const toolbox = (description: string, servers = 1, more = {}) => ({
  description,
  mcpServers: Object.fromEntries(Array.from({ length: servers }, (_, at) => [`s${at}`, { command: 'x' }])),
  ...more,
});

const many = (count: number, description: string) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`service-number-${at}`, toolbox(description)]),
  );

describe('describeServer', () => {
  it('begins with the config’s own words', () => {
    expect(told({ server: { instructions: 'Be kind.' } })).toMatch(/^Be kind\.\n\nNexus serves 5 tools/);
  });

  it('names every toolbox with its servers and its purpose, and how they are used', () => {
    const toolboxes = { dev: toolbox('Files\n and git', 2), web: toolbox('', 1, { autoOpen: true }) };
    const text = told({ toolboxes });
    expect(text).toContain('\n- dev (2): Files and git\n- web (open)\n');
    expect(text).toMatch(/find_tools .*use_tool .*open_toolbox adds .*\{toolbox\}__\{server\}__\{tool\}/);
    expect(told({ toolboxes, toolMode: 'proxy' })).toMatch(/open_toolbox answers .*schemas.*use_tool/);
  });

  it.each([
    ['lean', 3],
    ['full', 30],
  ])(
    'in the %s profile names as many notes as there is room for, and says how many more there are',
    (profile, most) => {
      const notes = Array.from(
        { length: 64 },
        (_, at) => `Server s${at} is left out: ${'no program. '.repeat(10)}`,
      );
      const text = told({ profile }, ['x'.repeat(1_400), ...notes]);
      const shown = notes.filter((note) => text.includes(note.trim())).length;
      expect(text).toContain('x'.repeat(1_400));
      expect(shown).toBeGreaterThan(0);
      expect(shown).toBeLessThanOrEqual(most);
      expect(text).toContain(`${64 - shown} more notes like these: \`nexus doctor\` has them all.`);
      expect(told({ profile }, notes.slice(0, 1))).not.toContain('more notes');
    },
  );

  it('says how to get toolboxes where there are none', () => {
    expect(told({})).toMatch(/No toolboxes .*nexus import/);
  });

  it('does not speak of tools that are off', () => {
    const toolboxes = { dev: toolbox('Files') };
    expect(told({ toolboxes, tools: { open_toolbox: { enabled: false } } })).not.toContain('oolbox');
    expect(told({ toolboxes, tools: { find_tools: { enabled: false } } })).not.toContain('find_tools');
    expect(told({ tools: { bundle: { enabled: false } } })).toMatch(
      /^Nexus serves 4 tools to every agent of this project\.\n\n/,
    );
  });

  it('counts the tools that tools/list has, and says how many are there only with a model', () => {
    expect(told({ permissions: { deny: ['bundle'] } })).toMatch(/^Nexus serves 4 tools/);
    const tools = [{ name: 'read' }, { name: 'think', needsModel: true }];
    expect(told({}, [], [{ tools }])).toMatch(
      /^Nexus serves 2 tools to every agent of this project, 1 of them where there is a model\./,
    );
  });

  it('names the bus where its tools are', () => {
    const bus = ['poll_task', 'fetch_inbox', 'submit_task', 'reserve_files'].map((name) => ({ name }));
    expect(told({}, [], [{ tools: bus }])).toMatch(/share a bus: poll_task .*nexus:\/\/inbox\/\{worker\}/);
    expect(told({}, [], [{ tools: bus.slice(1) }])).not.toContain('bus');
  });

  it('says in the lean profile how to reach what is not listed', () => {
    expect(told({ profile: 'lean' })).toMatch(/not listed: find_tools .*use_tool .*`nexus`/);
  });

  it('does not count a server that is disabled', () => {
    const dev = { mcpServers: { a: { command: 'x' }, b: { command: 'y', disabled: true } } };
    expect(told({ toolboxes: { dev } })).toMatch(/^- dev$/m);
  });

  it('leaves descriptions whole where there are few, and cuts them at a word where there are many', () => {
    const description = 'Repositories, issues, pull requests, actions and releases of the whole company';
    expect(told({ toolboxes: many(8, description) })).toContain(`- service-number-7: ${description}\n`);
    const cut = told({ profile: 'lean', toolboxes: many(20, description) });
    expect(cut).toMatch(/^- service-number-19: Repositories, issues[\w ,]*…$/m);
  });

  it.each([
    [64, 'Repositories, issues, pull requests, actions and releases of the whole company'],
    [64, ''],
    [400, 'Many'],
  ])('stays small for the lean profile with %i toolboxes', (count, description) => {
    const text = told({ profile: 'lean', toolboxes: many(count, description) });
    expect(text).toContain('service-number-63');
    expect(countTokens(text)).toBeLessThan(700);
  });

  it('says how many toolboxes it could not name', () => {
    expect(told({ toolboxes: many(400, '') })).toMatch(/, and \d+ more that list_toolboxes names\n/);
  });

  it('ends with what the user should know, each a line of a bounded length', () => {
    const text = told({}, ['one\nwaits', 'x'.repeat(10_000)]);
    expect(text).toMatch(/\n\none waits\n\nx{1500}… \(8500 more characters\)$/);
  });
});
