import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../workspace/read-arguments.ts';
import { startServers } from '../growth/http-servers.ts';
import { withSection } from '../section.ts';
import { makeScratch, withNoop } from '../subjects.ts';
import { type Footprint, type Held, heldBy, KINDS, leftOnDisk } from './footprint.ts';
import { type Levelled, levelled } from './level.ts';
import { doRound, makeProject, type Round } from './round.ts';

const HELP = `A day of a server, shortened: calls of all kinds, sessions, runs and restarts, and what is left of them.

  pnpm bench:day           200,000 calls, 500 sessions, 1,000 runs, 50 restarts; then its section of docs/performance.md
  pnpm bench:day --small   a twentieth of it, printed only

Ends with 1 where anything grows with each round. Linux alone: it tells what a process holds.
`;

const HEADING = '## A day, shortened';
/** Each done twice: by one process that goes on, and by one process a round. */
const WHOLE = { rounds: 50, round: { sessions: 5, calls: 2_000, runs: 10 } };
const SMALL = { rounds: 10, round: { sessions: 3, calls: 500, runs: 3 } };

const { values } = readArguments(HELP, { options: { small: { type: 'boolean', default: false } } });
await day(values.small ? SMALL : WHOLE, values.small);

async function day(
  { rounds, round }: { readonly rounds: number; readonly round: Round },
  isSmall: boolean,
): Promise<void> {
  const { inOne, overRestarts } = await live(rounds, round);
  const found = [
    ...levelled(inOne).map((each) => ({ ...each, where: 'one process' })),
    ...levelled(overRestarts).map((each) => ({ ...each, where: 'one a round' })),
  ];
  const text = table(found, { rounds, round });
  process.stdout.write(`${text}\n`);
  if (!isSmall) {
    const page = new URL('../../../docs/performance.md', import.meta.url);
    writeFileSync(page, withSection(readFileSync(page, 'utf8'), { heading: HEADING, text }));
  }
  if (found.some(({ isLevel }) => !isLevel)) process.exitCode = 1;
}

interface Day {
  /** What one process holds after each round of its own. */
  readonly inOne: readonly Held[];
  /** What each of as many processes holds and leaves behind. */
  readonly overRestarts: readonly Footprint[];
}

async function live(rounds: number, round: Round): Promise<Day> {
  await using servers = await startServers(() => [
    { name: 'look', description: 'Looks at it.', inputSchema: { type: 'object' } },
  ]);
  const temporaryName = 'temporary';
  using scratch = makeScratch({
    ...withNoop,
    toolboxes: { box: { mcpServers: { only: { url: `${servers.url}/0` } } } },
  });
  const temporary = join(scratch.projectDir, temporaryName);
  mkdirSync(temporary);
  makeProject(scratch.projectDir);
  // What the server makes there is told from what the machine does.
  process.env.TMPDIR = temporary;
  const tell = (what: string, footprint: object) =>
    process.stderr.write(`${what} of ${rounds}: ${JSON.stringify(footprint)}\n`);
  const inOne: Held[] = [];
  const going = await scratch.startNexusHttp();
  for (let at = 0; at < rounds; at += 1) {
    await doRound(going, round);
    const held = heldBy(going);
    inOne.push(held);
    tell(`one process, ${at + 1}`, held);
  }
  await going.stop();
  const overRestarts: Footprint[] = [];
  for (let at = 0; at < rounds; at += 1) {
    const server = await scratch.startNexusHttp();
    await doRound(server, round);
    const held = heldBy(server);
    await server.stop();
    const left = leftOnDisk({ dataDir: join(scratch.projectDir, '.data'), temporary });
    overRestarts.push({ ...held, ...left });
    tell(`one a round, ${at + 1}`, { ...held, ...left });
  }
  return { inOne, overRestarts };
}

function table(
  found: readonly (Levelled & { readonly where: string })[],
  { rounds, round }: { rounds: number; round: Round },
): string {
  const all = (count: number) => (2 * count * rounds).toLocaleString('en-US');
  return [
    `Made by \`pnpm bench:day\`: ${all(round.calls)} calls of thirteen kinds, ${all(round.sessions)} sessions over HTTP and ${all(round.runs)} runs on one project: the first half by one process, the other by ${rounds} that start and end one after the other. The last fifth of the rounds stands beside earlier ones: of what a process holds and of files its median beside the most of the first half, of tables and records what each round adds beside what it added in the second fifth; retention takes that when its time is over. Measured on ${new Date().toISOString().slice(0, 10)} with ${cpus().length} cores, Node.js ${process.version}.`,
    '',
    '| By | What | Early | At the end | |',
    '| --- | --- | --- | --- | --- |',
    ...found.map(({ where, kind, early, late, isLevel }) => {
      const isAdded = kind === 'database' || kind === 'logs';
      const what = `${KINDS[kind]}${isAdded ? ', added by a round' : ''}`;
      return `| ${where} | ${what} | ${early.toFixed(1)} | ${late.toFixed(1)} | ${isLevel ? 'level' : '**grows**'} |`;
    }),
  ].join('\n');
}
