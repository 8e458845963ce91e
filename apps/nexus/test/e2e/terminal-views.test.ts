import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fakeServer } from '@nexus/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byTurns, isSlowStep } from '../../../../vitest.slowly.ts';
import { makeProject, type Project } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { hasTmux, inTmux } from '../harness/tmux.ts';

/** The narrowest in every check, where least fits; the others in the slow step. */
const WIDTHS = isSlowStep ? [100, 200] : [60];

const PREPARED = [
  'name: ready',
  'description: Looks at the marks of unfinished work and then asks whether what was found may be published.',
  'steps:',
  '  - id: look',
  '    uses: tool:search_codebase',
  '    with: { query: no such word }',
  '  - id: remembered',
  '    uses: tool:memory_stats',
  '    needs: [look]',
  '',
].join('\n');

/** What servers log is as long as it has to be. */
const LOGGED = {
  ...{ level: 40, time: '2026-11-29T11:03:59.123Z', pid: 1, server: 'fake' },
  msg: 'a tool answered with what its output schema does not allow, and the answer went on as it is to its session',
  file: `/home/me/${'projects/'.repeat(25)}nexus.config.json`,
  fields: {
    entities: Array.from({ length: 12 }, (_, at) => ({ name: `entity ${at}`, observations: ['a', 'b'] })),
  },
};

/** What people look at, on the state that {@link prepare} makes. */
const VIEWS: Readonly<Record<string, readonly string[]>> = {
  help: ['--help'],
  tools: ['tools'],
  'a run, live': ['run', 'ready'],
  runs: ['runs', '--limit', '1'],
  'one run': ['runs', 'RUN'],
  'one run, drawn': ['runs', 'RUN', '--mermaid'],
  tasks: ['tasks', '--limit', '5'],
  jobs: ['jobs'],
  votes: ['votes'],
  models: ['models'],
  toolboxes: ['toolbox', 'list'],
  'toolboxes, tested': ['toolbox', 'test'],
  find: ['find', 'a', 'long', 'echo'],
  pins: ['pins'],
  status: ['status'],
  logs: ['logs', '--server', 'fake'],
  'an error': ['call', 'search_codebse', 'query=x'],
};

/** Those that a terminal keeps up to date until Ctrl-C are looked at in a pipe alone. */
const ON_A_TERMINAL = Object.keys(VIEWS).filter((view) => view !== 'tasks' && view !== 'jobs');
const LIVE = 'a run, live';
/** That which is written over as it goes comes first, and so in every check. */
const LIVE_FIRST = [LIVE, ...ON_A_TERMINAL.filter((view) => view !== LIVE)].map((view) => [view] as const);

const hasWindows = await hasTmux();
if (!hasWindows) process.stderr.write('Views of the terminal are not looked at: tmux is not installed.\n');

let project: Project;
let run: string;

beforeAll(async () => {
  project = await makeProject({
    files: { 'src/a.ts': '// publish\n', '.nexus/workflows/ready.yaml': PREPARED },
    config: { toolboxes: { box: { description: 'Echoes.', mcpServers: { fake: fakeServer() } } } },
    env: { PATH: '/usr/bin:/bin' },
  });
  await runNexus(project, ['run', 'ready']);
  await runNexus(project, [
    'call',
    'submit_task',
    'title=Read what the marks of unfinished work say, and write down which of them hold up the release',
    'payload:={}',
  ]);
  await runNexus(project, ['call', 'run_workflow', 'template=ready', 'dispatch=async']);
  mkdirSync(join(project.dataDir, 'logs'), { recursive: true });
  appendFileSync(join(project.dataDir, 'logs', 'nexus.jsonl'), `${JSON.stringify(LOGGED)}\n`);
  const { stdout } = await runNexus(project, ['runs', '--json']);
  run = JSON.parse(stdout).runs[0].id;
});

afterAll(() => project[Symbol.asyncDispose]());

const argsOf = (view: string) => (VIEWS[view] ?? []).map((word) => (word === 'RUN' ? run : word));

/** Without what differs from one run, machine or release to the next: ids, times, counts, where things lie. */
function steady(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replaceAll(project.root, '<root>')
    .replaceAll(process.execPath, 'node')
    .replaceAll(/\b(run|job|task|rec)_[0-9a-f]+|\b[0-9a-f]{8,}\b/g, '<id>')
    .replaceAll(/\d[\d,.]*( (ms|s|min|h|days?)\b)?/g, '#')
    .replaceAll(/ {2,}/g, '  ')
    .replaceAll(/[-─]{3,}/g, '---');
}

/** The list of tools has the words of every tool: it is held to fit, and not to change with each of them. */
function looksAsItDid(view: string, lines: readonly string[]): void {
  if (view !== 'tools') expect(steady(lines)).toMatchSnapshot();
}

describe.runIf(hasWindows)('on a terminal', () => {
  describe.each(WIDTHS)('of %d columns', (columns) => {
    it.each(ON_A_TERMINAL)('%s fits, and looks as it did', async (view) => {
      const { lines, overlong } = await inTmux(project, argsOf(view), { columns });
      expect(overlong).toEqual([]);
      looksAsItDid(view, lines);
    });
  });

  byTurns(LIVE_FIRST)('%s is the same without colours, and has none', async (view) => {
    const { lines, styled } = await inTmux(project, argsOf(view), {
      columns: 100,
      settings: { NO_COLOR: '1' },
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences
    expect(styled).not.toMatch(/\x1b\[[0-9;]*[1-9][0-9;]*m/);
    const { lines: coloured } = await inTmux(project, argsOf(view), { columns: 100 });
    expect(steady(lines)).toBe(steady(coloured));
  });

  byTurns(LIVE_FIRST)('%s is written once, line after line, on a dumb one', async (view) => {
    const { lines, overlong } = await inTmux(project, argsOf(view), {
      columns: 100,
      settings: { TERM: 'dumb' },
    });
    expect(overlong).toEqual([]);
    looksAsItDid(view, lines);
  });
});

if (!isSlowStep) {
  describe('in a pipe', () => {
    it.each(Object.keys(VIEWS))('%s is whole lines without control sequences', async (view) => {
      const { stdout, stderr } = await runNexus(project, argsOf(view));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be there
      expect(stdout + stderr).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f]/);
      expect(stdout).not.toMatch(/…$/m);
      looksAsItDid(view, [stdout, stderr].filter(Boolean));
    });
  });
}
