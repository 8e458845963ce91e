import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect } from 'vitest';
import { answerIn } from '../harness/asked-team.ts';
import { pipelineTeam, SUM_LINE, sumProject } from '../harness/pipeline-team.ts';
import { changeConfig, makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { slowlyVerifiesApp } from '../harness/verifies.ts';
import { ACTS_OR_HIDES, oddWord } from '../odd-words.ts';

/** Says what it was started with, and is no server. */
const PROGRAM = `import { writeFileSync } from 'node:fs';
const { OUT, LOOK, BASH_ENV } = process.env;
writeFileSync(OUT, JSON.stringify({ args: process.argv.slice(2), env: { LOOK, BASH_ENV } }));
`;
/** As a process can be given it: no byte of nought, no half of a character; and no variable. */
const odd = oddWord.map((word) => word.replaceAll(/[\0$]|\p{Cs}/gu, '') || 'x');
const long = fc.integer({ min: 500, max: 3_000 }).map((chars) => 'x y'.repeat(chars));
const started = fc.record({ args: fc.array(fc.oneof(odd, long), { maxLength: 4 }), look: odd, code: odd });

/** Says what it was started with. */
const TOLD = `import { writeFileSync } from 'node:fs';
writeFileSync(process.argv[2], JSON.stringify(process.argv.slice(3)));
`;

/** Words of a line as it is shown: bare, or JSON. */
const words = (line: string) =>
  [...line.matchAll(/"(?:[^"\\]|\\.)*"|[^\s"]+/g)].map(([word]) =>
    word.startsWith('"') ? (JSON.parse(word) as string) : word,
  );

slowlyVerifiesApp(
  'trust.told',
  'what `nexus trust` shows of made-up servers is, read back, what their processes are started with',
  async () => {
    await using project = await makeProject({ env: { NEXUS_TRUST: '' } });
    writeFileSync(project.path('program.mjs'), PROGRAM);
    const made = fc.sample(started, { numRuns: 25, seed: 19 });
    const out = (at: number) => project.path(`started-${at}.json`);
    const mcpServers = Object.fromEntries(
      made.map(({ args, look, code }, at) => {
        const env = { OUT: out(at), LOOK: look, BASH_ENV: code };
        return [`s${at}`, { command: process.execPath, args: ['program.mjs', ...args], env }];
      }),
    );
    await changeConfig(project, { toolboxes: { box: { mcpServers } } });
    const shown = (await runNexus(project, ['trust'])).stdout;
    expect(shown.replaceAll('\n', '')).not.toMatch(ACTS_OR_HIDES);
    const seen = new Map(
      shown.split(/^(?= {2}toolbox box, server )/m).flatMap((part) => {
        const name = /^ {2}toolbox box, server (s\d+):/.exec(part)?.[1];
        return name === undefined ? [] : [[name, part.split('\n')] as const];
      }),
    );
    expect([seen.size, existsSync(out(0))]).toEqual([made.length, false]);
    const all = { ...project, env: { ...project.env, NEXUS_TRUST: 'all' } };
    await runNexus(all, ['toolbox', 'test', 'box']);
    for (const at of made.keys()) {
      const lines = seen.get(`s${at}`) ?? [];
      const value = (name: string) => {
        const line = lines.find((each) => each.includes(`with env ${name}=`)) ?? '';
        return words(line.slice(line.indexOf(`${name}=`) + name.length + 1))[0];
      };
      const runs = words(lines.find((line) => line.trimStart().startsWith('runs ')) ?? '');
      expect({ args: runs.slice(3), env: { LOOK: value('LOOK'), BASH_ENV: value('BASH_ENV') } }).toEqual(
        JSON.parse(readFileSync(out(at), 'utf8')),
      );
    }
  },
);

/** Arguments that the schemas of commands and checks take. */
const commandWords = fc.array(
  fc.oneof(
    odd,
    long.map((text) => text.slice(0, 900)),
  ),
  { maxLength: 6 },
);

slowlyVerifiesApp(
  'trust.told',
  'what `nexus trust` shows of made-up commands is, read back, what a pipeline starts',
  async () => {
    await using team = await pipelineTeam(({ asked }) =>
      asked === 'voter' ? answerIn({ reasoning: 'No.', decision: 'reject', confidence: 1 }) : undefined,
    );
    const made = fc.sample(commandWords, { numRuns: 20, seed: 19 });
    await using project = await sumProject(team);
    const out = (at: number) => project.path(`ran-${at}.json`);
    writeFileSync(project.path('told.mjs'), TOLD);
    const commands = Object.fromEntries(
      made.map((args, at) => [`c${at}`, [process.execPath, project.path('told.mjs'), out(at), ...args]]),
    );
    await changeConfig(project, { workflows: { commands, setup: Object.keys(commands), checks: ['c0'] } });
    const asked = { ...project, env: { ...project.env, NEXUS_TRUST: '' } };
    const shown = (await runNexus(asked, ['trust'])).stdout;
    expect(shown.replaceAll('\n', '')).not.toMatch(ACTS_OR_HIDES);
    const [, json = ''] = /^ *sets workflows\.commands:\n([\s\S]*?\n {4}\})$/m.exec(shown) ?? [];
    const seen = JSON.parse(json) as Record<string, string[]>;
    expect(Object.keys(seen)).toHaveLength(20);
    const { session } = await project.host();
    const { result } = await session.call('run_dev_pipeline', {
      task: 'Mend the sum.',
      maxVoteIterations: 1,
    });
    for (const at of made.keys()) {
      expect(existsSync(out(at)), JSON.stringify(result).slice(0, 2_000)).toBe(true);
      expect(seen[`c${at}`]?.slice(3)).toEqual(JSON.parse(readFileSync(out(at), 'utf8')));
    }
  },
);

/** A change that the project holds as it is: only then are its checks run. */
const HELD = [
  '--- a/sum.mjs',
  '+++ b/sum.mjs',
  '@@ -1,1 +1,1 @@',
  '-export const sum = (a, b) => a * b;',
  `+${SUM_LINE}`,
  '',
].join('\n');

slowlyVerifiesApp(
  'trust.told',
  'what `nexus trust` shows of made-up checks is, read back, what a review starts',
  async () => {
    await using team = await pipelineTeam();
    const made = fc.sample(commandWords, { numRuns: 20, seed: 20 });
    await using project = await sumProject(team);
    const out = (at: number) => project.path(`checked-${at}.json`);
    writeFileSync(project.path('told.mjs'), TOLD);
    const checks = made.map((args, at) => ({
      name: `c${at}`,
      command: [process.execPath, project.path('told.mjs'), out(at), ...args],
    }));
    await changeConfig(project, { consensus: { checks } });
    const asked = { ...project, env: { ...project.env, NEXUS_TRUST: '' } };
    const shown = (await runNexus(asked, ['trust'])).stdout;
    expect(shown.replaceAll('\n', '')).not.toMatch(ACTS_OR_HIDES);
    const [, json = ''] = /^ *sets consensus\.checks:\n([\s\S]*?\n {4}\])$/m.exec(shown) ?? [];
    const seen = JSON.parse(json) as { name: string; command: string[] }[];
    expect(seen.map(({ name }) => name)).toEqual(checks.map(({ name }) => name));
    const { session } = await project.host();
    const { result } = await session.call('pr_review', { prTitle: 'Let sum subtract', prDiff: HELD });
    for (const at of made.keys()) {
      expect(existsSync(out(at)), JSON.stringify(result).slice(0, 2_000)).toBe(true);
      expect(seen[at]?.command.slice(3)).toEqual(JSON.parse(readFileSync(out(at), 'utf8')));
    }
  },
);
