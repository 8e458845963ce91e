import { writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { makeProject } from '../project.ts';
import { runNexus } from '../run-nexus.ts';
import { type Block, blocksOf, commandsIn } from './blocks.ts';
import type { Scene } from './scenes.ts';
import { openStage, type Stage } from './stage.ts';

/** Runs each command of a page, in its order, and holds each piece of JSON to what it is a piece of. */
export async function runPage(page: string, scene: Scene, installed?: string): Promise<void> {
  const blocks = blocksOf(page).filter(({ whyNot }) => whyNot === undefined);
  await using stage = await openStage({ ...scene, installed });
  await scene.prepare?.(stage);
  for (const block of blocks) {
    if (block.language === 'json') await holdJson(block, stage);
    else for (const line of commandsIn(block)) await runLine(line, scene, stage);
  }
}

async function runLine(line: string, scene: Scene, stage: Stage): Promise<void> {
  for (const act of startsOf(scene.before, line)) await act(stage);
  let meant = line;
  for (const [word, stands] of Object.entries(scene.stands ?? {})) {
    if (!meant.includes(word)) continue;
    meant = meant.replaceAll(word, typeof stands === 'string' ? stands : await stands(stage));
  }
  const [until] = startsOf(scene.goesOn, line);
  const done = await stage.sh(until ? `exec ${meant}` : meant, { until });
  const said = `${done.stdout}\n${done.stderr}`;
  if (until) expect(said, meant).toMatch(until);
  else {
    const [exitCode = 0] = startsOf(scene.exits, line);
    expect(done.exitCode, `${meant}\n${said}`).toBe(exitCode);
  }
  for (const what of startsOf(scene.says, line)) expect(said, meant).toMatch(what);
}

/** The values of those keys that a line begins with. */
function startsOf<Value>(of: Readonly<Record<string, Value>> = {}, line: string): Value[] {
  return Object.entries(of).flatMap(([start, value]) => (line.startsWith(start) ? [value] : []));
}

const SECRETS = { GITHUB_TOKEN: 'ghs-test', GHE_TOKEN: 'ghs-test', ANCHOR_TOKEN: 't0ken' };

/** A host's file, the arguments of `bundle`, or a piece of a config. */
async function holdJson({ page, text }: Block, stage: Stage): Promise<void> {
  const value: Record<string, unknown> = JSON.parse(text);
  if ('mcpServers' in value) {
    await writeFile(stage.project.path('of-a-host.json'), text);
    const read = await stage.sh('nexus import ./of-a-host.json --dry-run');
    expect(read.stdout + read.stderr, text).toMatch(/: 1 server\.|it is Nexus itself/);
    return;
  }
  if ('ops' in value) {
    const called = await stage.sh(`nexus call bundle '${JSON.stringify(value)}' --json`);
    expect(JSON.parse(called.stdout).structuredContent, text).toMatchObject({ failed: 0 });
    return;
  }
  await using project = await makeProject({
    config: Object.fromEntries(
      Object.entries(value).filter(([key]) => key !== 'plugins' && !isOfPlugin(key, value)),
    ),
    env: { ...SECRETS, PATH: String(stage.project.env.PATH) },
  });
  const { exitCode, stdout, stderr } = await runNexus(project, ['config', '--json']);
  expect([page, exitCode, stderr]).toEqual([page, 0, '']);
  expect(Object.keys(JSON.parse(stdout).config)).toEqual(
    expect.arrayContaining(Object.keys(value).filter((key) => key !== 'plugins' && !isOfPlugin(key, value))),
  );
}

/** The section of a plugin that the same piece names: it holds only where that is installed. */
function isOfPlugin(key: string, { plugins = [] }: Record<string, unknown>): boolean {
  return (plugins as string[]).some((plugin) => plugin.endsWith(key));
}
