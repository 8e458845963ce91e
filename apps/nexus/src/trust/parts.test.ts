import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { repositoryFolder } from '../../test/repository-folder.ts';
import type { Found } from '../config/find.ts';
import { partsOf } from './parts.ts';
import { judge } from './trust.ts';

const { put, parts } = repositoryFolder();

it('holds commands of pipelines and checks to their words, and what else is run to its script too', () => {
  const read = (word: string) => {
    const command = ['node', 'run.mjs', word];
    const config = {
      workflows: { commands: { test: command }, setup: ['test'] },
      consensus: { checks: [{ name: 'test', command }] },
      code: { ripgrepPath: './run.mjs' },
      toolboxes: { dev: { mcpServers: { s: { command: 'node', args: ['run.mjs'] } } } },
    };
    return new Map(parts(config).map(({ name, hash }) => [name, hash]));
  };
  const changed = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) =>
    [...before.keys()].filter((name) => before.get(name) !== after.get(name)).sort();
  put('run.mjs', '1;');
  const before = read('all');
  expect([...before.keys()]).toHaveLength(5);
  expect(changed(before, read('some'))).toEqual(['consensus.checks', 'workflows.commands']);
  put('run.mjs', '2;');
  expect(changed(before, read('all'))).toEqual(['code.ripgrepPath', expect.stringContaining('dev')]);
});

it('takes caps as data, which only restrict: they hold before anybody has trusted the config', async () => {
  const caps = { maxTokens: 5_000, maxCostUsd: 2 };
  const sections = ['consensus', 'experts', 'workflows'];
  const places = { folder: '/', top: '/', appDir: '/', environment: {} };
  const all = Object.fromEntries(sections.map((section) => [section, caps]));
  expect(partsOf(all, places)).toEqual([]);
  // What is not known to be data is not let through with them.
  const more = Object.fromEntries(sections.map((section) => [section, { ...caps, other: 1 }]));
  expect(partsOf(more, places).map(({ name }) => name)).toEqual(
    sections.map((section) => `${section}.other`),
  );
  expect(
    (await judge(more, { projectRoot: '/', configFile: fileURLToPath(import.meta.url) } as Found, {})).used,
  ).toEqual(all);
});
