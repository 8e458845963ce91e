import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect } from 'vitest';
import { changeConfig, makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { verifiesApp } from '../harness/verifies.ts';

/** Says what it was started with, and is no server. */
const PROGRAM = `import { writeFileSync } from 'node:fs';
const { OUT, LOOK, BASH_ENV } = process.env;
writeFileSync(OUT, JSON.stringify({ args: process.argv.slice(2), env: { LOOK, BASH_ENV } }));
`;
const ODD = ['\u001b[2J', '\u009b]0;x\u009c', '\u202e', '\u2066', '\u200b', '\ufeff', '\u00ad', '\u2028'];
const MORE = ['\u3164', '\u00a0', '\n', '\r', '\t', '"', '\\', "'", ' ', ';', '$(x)', '`x`', 'true', './x'];
const odd = fc
  .array(fc.oneof(fc.constantFrom(...ODD, ...MORE), fc.string({ maxLength: 6 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((pieces) => pieces.join('').replaceAll('\0', '').replaceAll('$', '').replaceAll('\ud800', ''));
const long = fc.integer({ min: 500, max: 3_000 }).map((chars) => 'x y'.repeat(chars));
const started = fc.record({ args: fc.array(fc.oneof(odd, long), { maxLength: 4 }), look: odd, code: odd });

/** Words of a line as it is shown: bare, or JSON. */
const words = (line: string) =>
  [...line.matchAll(/"(?:[^"\\]|\\.)*"|[^\s"]+/g)].map(([word]) =>
    word.startsWith('"') ? (JSON.parse(word) as string) : word,
  );

verifiesApp(
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
    expect(shown).not.toMatch(
      /(?!\n)[\p{Cc}\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u3164]/u,
    );
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
