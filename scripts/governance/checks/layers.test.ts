import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../workspace/open-workspace.ts';
import { fixtureSubject } from '../fixture-subject.ts';
import { layers } from './layers.ts';

const SOUND = {
  'packages/plugin-sdk/src/index.ts':
    'export interface Tool { readonly name: string }\nexport const sdk = 1;\n',
  'packages/core/src/index.ts':
    "import { join } from 'node:path';\nimport { sdk } from '@nexus/plugin-sdk';\nexport const core = join(String(sdk));\n",
  'packages/untrusted/src/index.ts': "export { sdk as untrusted } from '@nexus/plugin-sdk';\n",
  'packages/client/src/index.ts': "export { untrusted as client } from '@nexus/untrusted';\n",
  'packages/store/src/index.ts':
    "import '@nexus/client';\nimport '@nexus/untrusted';\nexport { core as store } from '@nexus/core';\n",
  'packages/plugins/words/src/index.ts':
    "import type { Tool } from '@nexus/plugin-sdk';\nexport const tool: Tool = { name: 'a' };\n",
  'apps/nexus/src/main.ts': "import '@nexus/store';\nimport '@nexus/plugin-words';\n",
};
const PACKAGES = [
  'packages/plugin-sdk',
  'packages/core',
  'packages/untrusted',
  'packages/client',
  'packages/store',
  'packages/plugins/words',
  'apps/nexus',
];
const SDK = join(repositoryRoot, 'node_modules', '@modelcontextprotocol');
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Imports are followed on disk, so this workspace lies there, linked as an install would link it. */
function checkLayers(changes: Record<string, string> = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-layers-')));
  folders.push(root);
  const manifests = PACKAGES.map((folder) => {
    const name = `@nexus/${folder.replace('packages/plugins/', 'plugin-').replace(/^.*\//, '')}`;
    return [`${folder}/package.json`, JSON.stringify({ name, exports: './src/index.ts' })] as const;
  });
  const files = { ...Object.fromEntries(manifests), ...SOUND, ...changes };
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  for (const [file, manifest] of manifests) {
    const link = join(root, 'node_modules', JSON.parse(manifest).name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, dirname(file)), link, 'junction');
  }
  symlinkSync(realpathSync(SDK), join(root, 'node_modules', '@modelcontextprotocol'), 'junction');
  const subject = fixtureSubject({ files });
  return layers.run({ ...subject, workspace: { ...subject.workspace, root } });
}

describe('layers', () => {
  it('finds nothing where imports go downward', async () => {
    expect(await checkLayers()).toEqual([]);
  });

  it.each([
    ['core that reads files', 'packages/core/src/disk.ts', "import 'node:fs/promises';", 'core-does-no-io'],
    [
      'core that imports a service',
      'packages/core/src/up.ts',
      "import '@nexus/store';",
      'core-imports-plugin-sdk-only',
    ],
    [
      'the ground that imports core',
      'packages/untrusted/src/up.ts',
      "import '@nexus/core';",
      'ground-imports-plugin-sdk-only',
    ],
    [
      'the ground that imports a service',
      'packages/untrusted/src/up.ts',
      "import '@nexus/store';",
      'ground-imports-plugin-sdk-only',
    ],
    [
      'the client that imports a service',
      'packages/client/src/up.ts',
      "import '@nexus/store';",
      'client-imports-the-ground-only',
    ],
    [
      'core that imports the ground',
      'packages/core/src/up.ts',
      "import '@nexus/untrusted';",
      'core-imports-plugin-sdk-only',
    ],
    [
      'a plugin that imports the ground',
      'packages/plugins/words/src/up.ts',
      "import '@nexus/untrusted';",
      'plugins-import-plugin-sdk-only',
    ],
    [
      'plugin-sdk that imports core',
      'packages/plugin-sdk/src/up.ts',
      "import '@nexus/core';",
      'plugin-sdk-imports-no-package',
    ],
    [
      'a plugin that imports core',
      'packages/plugins/words/src/up.ts',
      "import '@nexus/core';",
      'plugins-import-plugin-sdk-only',
    ],
    [
      'a plugin that imports only a type of core',
      'packages/plugins/words/src/up.ts',
      "import type { core } from '@nexus/core';\nexport type Core = typeof core;",
      'plugins-import-plugin-sdk-only',
    ],
    [
      'a plugin’s test that imports a service',
      'packages/plugins/words/src/a.test.ts',
      "import '@nexus/store';",
      'plugin-tests-import-testing-only',
    ],
    [
      'a service that imports a plugin',
      'packages/store/src/up.ts',
      "import '@nexus/plugin-words';",
      'services-import-only-downward',
    ],
    [
      'a package that imports the app',
      'packages/store/src/up.ts',
      "import '../../../apps/nexus/src/main.ts';",
      'nothing-below-imports-an-app',
    ],
    [
      'a path into another package',
      'packages/store/src/up.ts',
      "import '../../core/src/index.ts';",
      'packages-meet-by-name',
    ],
    [
      'a dynamic import upward',
      'packages/core/src/up.ts',
      "export const up = () => import('@nexus/store');",
      'core-imports-plugin-sdk-only',
    ],
    ['an import of nothing', 'packages/core/src/gone.ts', "import './no-such-file.ts';", 'resolvable'],
  ])('finds %s', async (_title, file, content, rule) => {
    const found = await checkLayers({ [file]: content });
    expect(found.map(({ where, what }) => `${where}: ${what}`).join('\n')).toContain(
      `against the rule ${rule}`,
    );
    expect(found.every(({ where, fix }) => where === file && fix !== '')).toBe(true);
  });

  it('finds a room that imports from a floor above, from its own floor, and one that has none', async () => {
    const found = await checkLayers({
      'packages/client/src/session/a.ts': "import '../supervise/b.ts';\nimport '../auth/c.ts';",
      'packages/client/src/session/d.ts': "import './a.ts';\nimport '../connection.ts';",
      'packages/client/src/supervise/b.ts': "import '../session/d.ts';\nimport '../attic/e.ts';",
      'packages/client/src/attic/e.ts': '',
      'packages/client/src/auth/c.ts': '',
      'packages/client/src/connection.ts': '',
      'packages/client/src/session/a.test.ts': "import '../supervise/b.ts';",
    });
    const told = found.map(({ where, what }) => `${where.replace(/^.*src\//, '')} ${what}`);
    expect(told.filter((line) => line.includes('floor')).sort()).toEqual([
      'session/a.ts imports ../auth/c.ts, against the rule client-floor-3',
      'session/a.ts imports ../supervise/b.ts, against the rule client-floor-3',
      'supervise/b.ts imports ../attic/e.ts, against the rule client-floor-4',
      'supervise/b.ts imports ../attic/e.ts, against the rule client-room-without-floor',
    ]);
  });

  it('finds a cycle, and shows it', async () => {
    const found = await checkLayers({
      'packages/locks/src/a.ts': "import './b.ts';",
      'packages/locks/src/b.ts': "import './a.ts';",
    });
    expect(found[0]?.what).toContain('packages/locks/src/b.ts -> packages/locks/src/a.ts');
  });

  it('does not pass when there is nothing to look at', async () => {
    expect(await layers.run(fixtureSubject())).toMatchObject([{ what: 'looked at no folders of source' }]);
  });

  it('names packages whose source it did not read', async () => {
    const subject = fixtureSubject({
      files: { 'packages/gone/package.json': { name: 'gone' }, 'packages/gone/src/index.ts': '' },
    });
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-layers-')));
    folders.push(root);
    mkdirSync(join(root, 'packages'));
    const found = await layers.run({ ...subject, workspace: { ...subject.workspace, root } });
    expect(found).toMatchObject([{ where: 'packages/gone', what: expect.stringContaining('were not read') }]);
  });
});
