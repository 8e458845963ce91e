import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkChange } from '@nexus/plugin-sdk';
import { type PluginUnderTest, scriptedModels, startPlugin } from '@nexus/testing';
import { afterEach, expect, it } from 'vitest';
import { type FixtureRepository, fixtureRepository, TEST_COMMAND } from '../../test/fixture-repository.ts';
import { ADDS, NOTHING_ADDED, SUBTRACTS, SUMS, sumFiles, sumTest } from '../../test/prover.ts';
import workflows from '../index.ts';

let plugin: PluginUnderTest;
let repository: FixtureRepository;
afterEach(async () => {
  await plugin.stop();
  repository[Symbol.dispose]();
});

async function checked(
  tested: string,
  [from, to]: readonly [string, string],
  commands: object = { test: TEST_COMMAND },
) {
  repository = fixtureRepository({ ...sumFiles(to), 'sum.test.js': sumTest(tested).input.text });
  const models = scriptedModels(() => new Error('a model was asked'));
  plugin = await startPlugin(workflows, { models, projectRoot: repository.path, options: { commands } });
  const head = ['diff --git a/sum.js b/sum.js', '--- a/sum.js', '+++ b/sum.js', '@@ -1 +1 @@'];
  const change = [...head, `-${from.trim()}`, `+${to.trim()}`, ''].join('\n');
  const { id } = await plugin.host.runs.start(checkChange, { change }, {});
  const { output, error } = await plugin.host.runs.wait(id, { signal: new AbortController().signal });
  expect(error).toBeUndefined();
  const folder = join(plugin.host.dataDir, 'workflows', 'worktrees');
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  expect(repository.git('branch', '--list', 'nexus/*')).toBe('');
  return output as { checks: { output: string }[]; why?: string };
}

it.each([
  ['passed', 'failed', ADDS, [SUMS, SUBTRACTS]],
  ['failed', 'passed', ADDS, [SUBTRACTS, SUMS]],
  ['passed', 'passed', NOTHING_ADDED, [SUMS, SUBTRACTS]],
  ['failed', 'failed', 'assert.equal(1, 2);', [SUMS, SUBTRACTS]],
] as const)('is %s without the change and %s with it, both run', async (without, withIt, tested, change) => {
  const { checks } = await checked(tested, change);
  expect(checks).toEqual([{ name: 'test', without, with: withIt, output: expect.any(String) }]);
  if (withIt === 'failed') expect(checks[0]?.output).toContain('AssertionError');
});

it('says what is missing where nothing may be run', async () => {
  const { checks, why } = await checked(ADDS, [SUMS, SUBTRACTS], {});
  expect(checks).toEqual([]);
  expect(why).toContain('the config allows no command');
});
