import { readArguments, wrongUse } from '../workspace/read-arguments.ts';
import { bundle } from './bundle.ts';
import { findMutant } from './find-mutant.ts';
import { type Mutant, mutants } from './mutants.ts';
import { type Found, runSeeds, showSeed } from './run-seeds.ts';

const HELP = `Runs durable runs in simulated worlds: several processes of the engine, their store, models and people, under
virtual time, with faults drawn from a seed. The same seed is the same world. docs/simulator.md says what is simulated.

  pnpm simulate                            2 000 seeds, from 1
  pnpm simulate --seeds 1000000 --from 7   so many, from there
  pnpm simulate --all                      goes on after the first that fails, and counts them by sort
  pnpm simulate --seed 42                  one world, shrunk to what still fails
  pnpm simulate --seed 42 --trace          all that happens in it, as it is, or --shrunk
  pnpm simulate --mutant NAME              with a fault put back into the engine; ends well if it is found
  pnpm simulate --mutants                  each of them in turn, as the table of docs/simulator.md
  pnpm simulate --processes 2              instead of one a core

Mutants: ${mutants.map(({ name }) => name).join(', ') || 'none'}
`;

const DEFAULT_SEEDS = 2_000;
const MUTANT_SEEDS = 10_000;
const MAX_SHOWN = 20;

const { values } = readArguments(HELP, {
  options: {
    seeds: { type: 'string' },
    from: { type: 'string' },
    seed: { type: 'string' },
    processes: { type: 'string' },
    mutant: { type: 'string' },
    mutants: { type: 'boolean' },
    all: { type: 'boolean' },
    trace: { type: 'boolean' },
    shrunk: { type: 'boolean' },
  },
});
await main();

async function main(): Promise<void> {
  const mutant = values.mutant === undefined ? undefined : named(values.mutant);
  if (values.mutants) return findAll();
  if (values.seed !== undefined) return show(numberOf('seed', values.seed), mutant);
  if (mutant) {
    process.exitCode = (await find(mutant)) ? 0 : 1;
    return;
  }
  const count = numberOf('seeds', values.seeds ?? String(DEFAULT_SEEDS));
  const from = numberOf('from', values.from ?? '1');
  const file = await bundle();
  const began = performance.now();
  const found = await runSeeds({
    file,
    from,
    count,
    processes: processes(),
    isUntilFirst: !values.all,
    onProgress,
  });
  const seconds = (performance.now() - began) / 1_000;
  say(
    `${found.done} seeds from ${from} in ${seconds.toFixed(1)} s, ${found.statements} statements, traces ${found.hash}`,
  );
  if (found.failures.length === 0) return say('All held.');
  process.exitCode = 1;
  tell(found);
  const [first] = found.failures;
  if (first) say(await showSeed(file, { seed: first.seed, isTraced: false, isShrunk: true }));
}

function tell({ failures }: Found): void {
  const sorts = new Map<string, number[]>();
  for (const { sort, seed } of failures) sorts.set(sort, [...(sorts.get(sort) ?? []), seed]);
  say(`${failures.length} seeds went wrong:`);
  for (const [sort, seeds] of [...sorts].sort(([, a], [, b]) => b.length - a.length)) {
    const more = seeds.length > MAX_SHOWN ? ', …' : '';
    say(`${String(seeds.length).padStart(6)}  ${sort} (${seeds.slice(0, MAX_SHOWN).join(', ')}${more})`);
  }
}

async function show(seed: number, mutant: Mutant | undefined): Promise<void> {
  const isTraced = values.trace ?? false;
  const text = await showSeed(await bundle(mutant), { seed, isTraced, isShrunk: values.shrunk ?? !isTraced });
  say(text);
  if (text.includes('WRONG')) process.exitCode = 1;
}

/** @returns whether it was: by a seed that goes wrong with the mutant, and holds without it */
async function find(mutant: Mutant): Promise<boolean> {
  const count = numberOf('seeds', values.seeds ?? String(MUTANT_SEEDS));
  const from = numberOf('from', values.from ?? String(mutant.fromSeed ?? 1));
  const found = await findMutant(mutant, { from, count, processes: processes() });
  if (found) {
    say(`| \`${mutant.name}\` | ${mutant.fault} | ${found.seed} | ${found.sort} |`);
    return true;
  }
  say(`| \`${mutant.name}\` | ${mutant.fault} | not in ${count} from ${from} | |`);
  return false;
}

async function findAll(): Promise<void> {
  for (const mutant of mutants) if (!(await find(mutant))) process.exitCode = 1;
}

function named(name: string): Mutant {
  const mutant = mutants.find((each) => each.name === name);
  if (!mutant) wrongUse(`no mutant ${name}`);
  return mutant;
}

function processes(): number | undefined {
  return values.processes === undefined ? undefined : numberOf('processes', values.processes);
}

function numberOf(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) wrongUse(`--${option} takes a whole number, not ${text}`);
  return number;
}

function onProgress(done: number): void {
  if (process.stdout.isTTY && done % 1_000 < 20) process.stdout.write(`${done} seeds\r`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
