// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables are written like that
import { describe, expect, it } from 'vitest';
import { addServers, type NewServers } from './add-servers.ts';
import { parse } from './yaml.ts';

const wanted: NewServers = {
  toolbox: 'dev',
  description: 'Files',
  servers: { a: { command: 'x', args: ['a b', '${HOME}'] }, b: { url: 'https://b' } },
  onConflict: 'keep',
};
const toolboxes = { dev: { description: 'Files', mcpServers: wanted.servers } };

describe('addServers', () => {
  it.each(['', '{}', '# mine\n', 'toolboxes:\n', 'toolboxes:\n  dev:\n', '{"toolboxes": null}'])(
    'makes a toolbox in %j',
    (text) => {
      const yaml = addServers(text, 'yaml', wanted);
      expect(parse(yaml.text)).toEqual({ toolboxes });
      expect(yaml.text.startsWith('# mine')).toBe(text.startsWith('# mine'));
      expect(JSON.parse(addServers(text, 'json', wanted).text)).toEqual({ toolboxes });
    },
  );

  it('keeps comments, order and the rest of a YAML file', () => {
    const text =
      '# top\nlimits:\n  burst: 7 # few\n\ntoolboxes:\n  # ours\n  dev:\n    description: Ours\n    mcpServers:\n      a: { command: old } # stays\n';
    const { text: written, added, kept } = addServers(text, 'yaml', wanted);
    expect(written).toBe(`${text}      b:\n        url: https://b\n`);
    expect({ added, kept }).toEqual({ added: ['b'], kept: ['a'] });
  });

  it.each(['{"toolboxes": {', '- a list', 'a: 1\na: 2'])('refuses what is no config: %j', (text) => {
    expect(() => addServers(text, 'yaml', wanted)).toThrow(/must be mended first/);
  });

  it('reads JSON with comments, and writes over none', () => {
    const text = '{\n  // ours\n  "limits": { "burst": 7 },\n}';
    expect(() => addServers(text, 'json', wanted)).toThrow(/comments, which writing it anew would lose/);
    const same = `{ // ours\n"toolboxes": ${JSON.stringify(toolboxes)} }`;
    expect(addServers(same, 'json', wanted)).toMatchObject({ text: same, unchanged: ['a', 'b'] });
    expect(JSON.parse(addServers('{"limits": {"burst": 7},}', 'json', wanted).text)).toMatchObject({
      toolboxes,
    });
  });

  it('writes JSON with two spaces', () => {
    expect(addServers('{"limits":{"burst":7}}', 'json', wanted).text).toBe(
      `${JSON.stringify({ limits: { burst: 7 }, toolboxes }, null, 2)}\n`,
    );
  });

  it('replaces a server of the same name only when asked to', () => {
    const text = JSON.stringify({
      toolboxes: { dev: { mcpServers: { a: { command: 'old' }, b: wanted.servers.b } } },
    });
    const kept = addServers(text, 'json', wanted);
    expect(kept).toEqual({
      text,
      isNewToolbox: false,
      added: [],
      replaced: [],
      unchanged: ['b'],
      kept: ['a'],
    });
    const replaced = addServers(text, 'json', { ...wanted, onConflict: 'replace' });
    expect(replaced).toMatchObject({ added: [], replaced: ['a'], unchanged: ['b'], kept: [] });
    expect(JSON.parse(replaced.text).toolboxes.dev.mcpServers).toEqual(wanted.servers);
  });
});
