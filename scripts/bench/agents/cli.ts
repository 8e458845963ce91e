import { readFileSync, writeFileSync } from 'node:fs';
import { readArguments, wrongUse } from '../../workspace/read-arguments.ts';
import { withSection } from '../section.ts';
import { startStdioServer } from '../servers.ts';
import { bin } from '../subjects.ts';
import { makeGround } from './ground.ts';
import { kinds } from './kinds.ts';
import { largeAnswers } from './large-answers.ts';
import { measure, type Side } from './measure.ts';
import { agentsSection, kindLine, largeLines, missedOf, taskLine } from './page.ts';

const HELP = `Counts the calls and tokens that work on a repository takes by these tools, beside a shell's for the same answers.

  pnpm bench:agents                 everything, then its section of docs/performance.md
  pnpm bench:agents --only rename   some of it, task by task, printed only
  pnpm bench:agents --show          also what each way answered

Needs git, jq and, the first time, the npm registry. Ends with 1 where a bar is missed or an answer is not the same.
Kinds: ${kinds.map(({ name }) => name).join(', ')}
`;

const { values } = readArguments(HELP, {
  options: { only: { type: 'string' }, show: { type: 'boolean', default: false } },
});
await benchAgents(values.only?.split(','), values.show);

async function benchAgents(only: readonly string[] | undefined, show: boolean): Promise<void> {
  const unknown = only?.filter((name) => !kinds.some((kind) => kind.name === name)) ?? [];
  if (unknown.length > 0) wrongUse(`no kind ${unknown.join(', ')}`);
  using ground = await makeGround();
  const nexus = await startStdioServer([bin, '--mode=server', '--standalone'], {
    cwd: ground.folder,
    env: ground.env,
  });
  try {
    const sides: Side[] = [];
    for (const kind of kinds.filter(({ name }) => !only || only.includes(name))) {
      const side = await measure(kind, { ground, nexus });
      process.stdout.write(`${[kindLine(side), ...side.tasks.map(taskLine)].join('\n')}\n`);
      if (show) for (const { nexus, shell } of side.tasks) print([...nexus.answers, ...shell.answers]);
      sides.push(side);
    }
    const large = await largeAnswers(nexus);
    process.stdout.write(`${largeLines(large).join('\n')}\n`);
    if (!only) {
      const page = new URL('../../../docs/performance.md', import.meta.url);
      writeFileSync(
        page,
        withSection(readFileSync(page, 'utf8'), agentsSection({ sides, large }, new Date())),
      );
    }
    const missed = missedOf({ sides, large });
    process.stdout.write(missed.length === 0 ? '\nEvery bar is met.\n' : `\nMissed: ${missed.join(', ')}.\n`);
    if (missed.length > 0) process.exitCode = 1;
  } finally {
    await nexus.stop();
  }
}

function print(answers: readonly string[]): void {
  process.stdout.write(answers.map((answer) => `>>>\n${answer}\n`).join(''));
}
