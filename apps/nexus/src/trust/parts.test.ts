import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Found } from '../config/find.ts';
import { appDir } from '../version.ts';
import { partsOf } from './parts.ts';
import { judge } from './trust.ts';

it('holds commands of pipelines and checks to their words, and what else is run to its script too', () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'nexus-parts-')));
  const script = join(top, 'run.mjs');
  const read = (word: string) => {
    const command = ['node', 'run.mjs', word];
    const config = {
      workflows: { commands: { test: command }, setup: ['test'] },
      consensus: { checks: [{ name: 'test', command }] },
      code: { ripgrepPath: './run.mjs' },
      toolboxes: { dev: { mcpServers: { s: { command: 'node', args: ['run.mjs'] } } } },
    };
    const places = { folder: top, top, appDir: fileURLToPath(appDir), environment: {} };
    return new Map(partsOf(config, places).map(({ name, hash }) => [name, hash]));
  };
  const changed = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) =>
    [...before.keys()].filter((name) => before.get(name) !== after.get(name)).sort();
  try {
    writeFileSync(script, '1;');
    const before = read('all');
    expect([...before.keys()]).toHaveLength(5);
    expect(changed(before, read('some'))).toEqual(['consensus.checks', 'workflows.commands']);
    writeFileSync(script, '2;');
    expect(changed(before, read('all'))).toEqual(['code.ripgrepPath', expect.stringContaining('dev')]);
  } finally {
    rmSync(top, { recursive: true });
  }
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
