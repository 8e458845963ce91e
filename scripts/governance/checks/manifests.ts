import type { Package } from '../../workspace/workspace.ts';
import { type Check, type Finding, lookedAtNothing } from '../check.ts';

const NAME = 'manifests';

/** What every package.json says, so that tools find each package alike. */
const RULES: readonly { readonly what: string; readonly fix: string; holds(each: Package): boolean }[] = [
  {
    what: 'is not named after its folder',
    fix: 'name it @nexus/<folder>, or @nexus/plugin-<folder> below packages/plugins',
    holds: ({ folder, manifest }) => !folder.startsWith('packages/') || manifest.name === nameFor(folder),
  },
  {
    what: 'is no ES module',
    fix: 'add "type": "module"',
    holds: ({ manifest }) => manifest.type === 'module',
  },
  {
    what: 'does not say which Node it needs',
    fix: 'add "engines": { "node": ">=20.19" }',
    holds: ({ manifest }) => JSON.stringify(manifest.engines) === '{"node":">=20.19"}',
  },
  {
    what: 'has no description',
    fix: 'add one line that says what it is for',
    holds: ({ manifest }) => typeof manifest.description === 'string' && manifest.description.length > 10,
  },
  {
    what: 'states no license',
    fix: 'add "license": "MIT"',
    holds: ({ manifest }) => manifest.license === 'MIT',
  },
  {
    what: 'has no script "test"',
    fix: 'add "test": "vitest run", which turbo runs',
    holds: ({ manifest }) => Boolean(manifest.scripts?.test),
  },
  {
    what: 'exports something else than TypeScript source',
    fix: 'add "exports": { ".": "./src/index.ts" }',
    holds: ({ folder, manifest }) => !folder.startsWith('packages/') || exportsSource(manifest.exports),
  },
];

export const manifests: Check = {
  name: NAME,
  proves: 'every package.json has the fields that tools and readers rely on',
  run({ workspace }) {
    const packages = workspace.packages.filter(({ folder }) => !folder.startsWith('examples/'));
    if (packages.length === 0) return lookedAtNothing(NAME, 'packages');
    return packages.flatMap(findingsOf);
  },
};

function findingsOf(each: Package): Finding[] {
  const where = `${each.folder}/package.json`;
  return RULES.filter((rule) => !rule.holds(each)).map(({ what, fix }) => ({
    check: NAME,
    where,
    what,
    fix,
  }));
}

function nameFor(folder: string): string {
  return `@nexus/${folder.replace('packages/plugins/', 'plugin-').replace('packages/', '')}`;
}

function exportsSource(exported: unknown): boolean {
  if (typeof exported !== 'object' || exported === null) return false;
  const entries = Object.values(exported);
  return entries.length > 0 && entries.every((entry) => /^\.\/(src|test)\/.*\.ts$/.test(String(entry)));
}
