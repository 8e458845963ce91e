import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryFolder } from '../../test/repository-folder.ts';

const repository = repositoryFolder();
const { put, parts } = repository;

const CONFIGS = {
  'a plugin': { plugins: ['./tools/plug.mjs'] },
  'a server': { toolboxes: { t: { mcpServers: { s: { command: 'node', args: ['tools/plug.mjs'] } } } } },
  'a server by the project’s folder': {
    toolboxes: { t: { mcpServers: { s: { command: 'node', args: ['${workspaceFolder}/tools/plug.mjs'] } } } },
  },
  'a program of a setting': { code: { ripgrepPath: './tools/plug.mjs' } },
};
const part = (of: keyof typeof CONFIGS) => parts(CONFIGS[of])[0];

describe.each(Object.keys(CONFIGS) as (keyof typeof CONFIGS)[])('a package that %s imports', (of) => {
  function install(folder: string, version = 'one'): void {
    put(
      `${folder}/package.json`,
      JSON.stringify({ name: 'dep', exports: { '.': './i.js', './sub': './s.js' } }),
    );
    put(`${folder}/i.js`, `import './near.js'; // ${version}`);
    put(`${folder}/near.js`);
    put(`${folder}/s.js`);
  }

  function waitsAfter(change: () => void): boolean {
    const before = part(of)?.hash;
    change();
    return part(of)?.hash !== before;
  }

  it.each([
    ['nearer', () => install('tools/node_modules/dep')],
    ['nearer, without a package.json', () => put('tools/node_modules/dep/index.js')],
    ['nearer, as a file', () => put('tools/node_modules/dep.js')],
    [
      'nearer, as the package that the script is in',
      () => put('tools/package.json', '{"name":"dep","exports":"./x.mjs"}'),
    ],
    ['in its package.json', () => put('node_modules/dep/package.json', '{"main":"./other.js"}')],
    ['in its entry', () => put('node_modules/dep/i.js', 'two')],
    ['in what its entry imports by a relative path', () => put('node_modules/dep/near.js', 'two')],
  ])('waits again where it has changed: %s', (_, change) => {
    install('node_modules/dep');
    for (const text of ["import 'dep'", "require('dep')"]) {
      rmSync(join(repository.top, 'tools'), { recursive: true, force: true });
      install('node_modules/dep');
      put('tools/plug.mjs', text);
      expect(waitsAfter(() => {})).toBe(false);
      expect(waitsAfter(change)).toBe(true);
    }
  });

  it('waits again where what it takes by another name has changed', () => {
    install('node_modules/dep');
    put('node_modules/dep/conditional.cjs');
    for (const text of ["import 'dep/sub'", "import 'dep/s%2ejs?x'"]) {
      put('tools/plug.mjs', text);
      expect(waitsAfter(() => put('node_modules/dep/s.js', text))).toBe(true);
    }
  });

  it('waits again where a link to it is turned', () => {
    for (const version of ['1', '2']) {
      mkdirSync(join(repository.base, version));
      writeFileSync(join(repository.base, version, 'index.js'), '');
    }
    put('tools/plug.mjs', "import 'dep'");
    mkdirSync(join(repository.top, 'node_modules'));
    symlinkSync(join(repository.base, '1'), join(repository.top, 'node_modules/dep'));
    const turned = waitsAfter(() => {
      rmSync(join(repository.top, 'node_modules/dep'));
      symlinkSync(join(repository.base, '2'), join(repository.top, 'node_modules/dep'));
    });
    expect(turned).toBe(true);
  });

  it('is said to be nowhere where it is, and waits again once it is there', () => {
    put('tools/plug.mjs', "import 'dep'");
    expect(part(of)?.lines.join('\n')).toContain('imports dep, which is not there now');
    expect(waitsAfter(() => install('node_modules/dep'))).toBe(true);
    expect(part(of)?.lines.join('\n')).toContain('imports dep from node_modules/dep');
  });

  it('is said to load more where it imports packages in turn', () => {
    install('node_modules/dep');
    put('tools/plug.mjs', "#!/usr/bin/env node\nimport 'dep'");
    expect(part(of)?.lines.join('\n')).not.toContain('whatever else');
    put('node_modules/dep/i.js', "import 'deeper'");
    expect(part(of)?.lines.join('\n')).toContain('whatever else');
  });

  it('is held as far as numbers allow, and said to load more beyond that', () => {
    const names = Array.from({ length: 300 }, (_, index) => `dep${index}`);
    for (const name of names) put(`node_modules/${name}/index.js`);
    put('tools/plug.mjs', names.map((name) => `import '${name}';`).join('\n'));
    expect(part(of)?.lines.join('\n')).toContain('whatever else');
    expect(waitsAfter(() => put('node_modules/dep1/index.js', 'two'))).toBe(true);
  });

  it('is bound to its place only where it lies outside of the repository', () => {
    put('tools/plug.mjs', "import 'dep'");
    mkdirSync(join(repository.base, 'node_modules/dep'), { recursive: true });
    const own = join(repository.base, 'node_modules/dep/index.js');
    writeFileSync(own, 'one');
    expect(waitsAfter(() => writeFileSync(own, 'two'))).toBe(false);
    expect(waitsAfter(() => install('node_modules/dep'))).toBe(true);
  });
});

describe.each(['a plugin', 'a server'] as const)('%s that can’t be held whole', (of) => {
  it('waits again at each change that can be seen, and says that there may be others, of more than 2 000 files', () => {
    const names = Array.from({ length: 2_100 }, (_, at) => `./m${at}.mjs`);
    for (const name of names) put(`tools/${name}`);
    put('tools/plug.mjs', names.map((name) => `import '${name}';`).join('\n'));
    const before = part(of);
    expect(before?.lines.join('\n')).toContain('whatever else');
    for (const name of names) put(`tools/${name}`, 'two');
    expect(part(of)?.hash).not.toBe(before?.hash);
  });

  it('waits again where a file changes that is too large to be read', () => {
    put('tools/plug.mjs', "import './large.mjs'");
    put('tools/large.mjs', `1;${' '.repeat(64 * 1024 * 1024)}`);
    const before = part(of);
    expect(before?.lines.join('\n')).toContain('whatever else');
    put('tools/large.mjs', `2;${' '.repeat(64 * 1024 * 1024)}`);
    expect(part(of)?.hash).not.toBe(before?.hash);
  });
});
