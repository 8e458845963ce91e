import { describe, expect, it } from 'vitest';
import { fixtureSubject } from '../fixture-subject.ts';
import { dependencyReasons } from './dependency-reasons.ts';

const FILES = {
  'packages/core/package.json': {
    name: '@nexus/core',
    dependencies: { '@nexus/plugin-sdk': '*', zod: '^4' },
  },
  'packages/plugin-sdk/package.json': { name: '@nexus/plugin-sdk', devDependencies: { vitest: '^4' } },
  'apps/nexus/package.json': {
    name: 'nexus',
    devDependencies: { pino: '^10', esbuild: '^0.28', yaml: '^2' },
  },
  'apps/nexus/src/log.ts': "import pino from 'pino';\nconst yaml = await import('yaml');",
  'docs/dependencies.md': [
    '| `zod` | one schema gives types, checks and JSON Schema |',
    '| `pino` | log lines on stderr as JSON, fast |',
    '| `yaml` | one parser for both forms of the config |',
  ].join('\n'),
};
const check = (changes: Record<string, string | object> = {}) =>
  dependencyReasons.run(fixtureSubject({ files: { ...FILES, ...changes } }));

describe('dependency-reasons', () => {
  it('finds nothing where each runtime dependency has its reason', () => {
    expect(check()).toEqual([]);
  });

  it('finds a dependency without a reason, and says who needs it', () => {
    const manifest = { name: '@nexus/core', dependencies: { zod: '^4', nanoid: '^5' } };
    expect(check({ 'packages/core/package.json': manifest })).toMatchObject([
      { what: 'gives no reason for nanoid, which packages/core needs' },
    ]);
  });

  it('finds what an app bundles from its development dependencies', () => {
    const text = "import { build } from 'esbuild';\nimport pino from 'pino';\nimport 'yaml';";
    expect(check({ 'apps/nexus/src/log.ts': text })).toMatchObject([
      { what: expect.stringContaining('esbuild') },
    ]);
  });

  it('finds a reason too short to be one', () => {
    const page = FILES['docs/dependencies.md'].replace('log lines on stderr as JSON, fast', 'logging');
    expect(check({ 'docs/dependencies.md': page })).toHaveLength(1);
  });

  it('finds a line for a dependency that is gone', () => {
    const page = `${FILES['docs/dependencies.md']}\n| \`lodash\` | it was there once, long ago |`;
    expect(check({ 'docs/dependencies.md': page })).toMatchObject([{ fix: 'remove the line' }]);
  });

  it('does not pass when there is no dependency', () => {
    expect(dependencyReasons.run(fixtureSubject())).toMatchObject([
      { what: 'looked at no runtime dependencies' },
    ]);
  });
});
