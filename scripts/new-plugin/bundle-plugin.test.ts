import { describe, expect, it } from 'vitest';
import { memoryWorkspace } from '../workspace/memory-workspace.ts';
import { openWorkspace } from '../workspace/open-workspace.ts';
import { addToBundledPlugins, addToFrontPage, addToManifest } from './bundle-plugin.ts';
import { namesFor } from './plugin-name.ts';

const names = namesFor('diff', memoryWorkspace({}));
const SOURCE = `import code from '@nexus/plugin-code';
import memory from '@nexus/plugin-memory';
import type { AnyPlugin } from '@nexus/plugin-sdk';

/** The plugins that come with Nexus. Importing them starts nothing. */
export const bundledPlugins: readonly AnyPlugin[] = [code, memory];
`;

describe('addToBundledPlugins', () => {
  it('imports and lists the plugin, in order', () => {
    expect(addToBundledPlugins(SOURCE, names)).toBe(
      SOURCE.replace(
        "import memory from '@nexus/plugin-memory';",
        "import diff from '@nexus/plugin-diff';\nimport memory from '@nexus/plugin-memory';",
      ).replace('[code, memory]', '[code, diff, memory]'),
    );
  });

  it('understands the list as it is in this repository', () => {
    const { read } = openWorkspace();
    expect(addToBundledPlugins(read('apps/nexus/src/plugins/bundled-plugins.ts'), names)).toMatch(
      /bundledPlugins.*\bdiff\b/s,
    );
  });

  it('says so when the file has another form', () => {
    expect(() => addToBundledPlugins('export {};', names)).toThrow("Can't add @nexus/plugin-diff");
  });
});

describe('addToManifest', () => {
  it('adds the plugin to what is bundled, in order, and keeps the rest', () => {
    const manifest = JSON.stringify({ name: 'nexus-mcp', devDependencies: { zod: '*', esbuild: '*' } });
    expect(JSON.parse(addToManifest(manifest, names))).toEqual({
      name: 'nexus-mcp',
      devDependencies: { '@nexus/plugin-diff': 'workspace:*', esbuild: '*', zod: '*' },
    });
  });
});

describe('addToFrontPage', () => {
  const page = '| Plugin | Tools |\n| --- | --- |\n| code | reads |\n| memory | keeps |\n\n| Page | For |\n';

  it('adds a row below those of the plugins that are there', () => {
    expect(addToFrontPage(page, names, ['code', 'memory', 'not-named'])).toBe(
      page.replace('| keeps |\n', '| keeps |\n| diff | `diff_word_count`: say here what it is for |\n'),
    );
  });

  it('says so when no plugin has a row', () => {
    expect(() => addToFrontPage('# Nexus\n', names, ['code'])).toThrow("Can't add diff to README.md");
  });
});
