import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bundleProgram } from '../../../vitest.programs.ts';
import { ended, type Place, startEngine } from './engine-under-test.ts';
import { JOB, killedCalls, killedKinds, PAID, WHOLE } from './killed-kinds.ts';

const CHILD = new URL('./killed-child.ts', import.meta.url);

/** What is killed, and the work that it comes to. */
export type Killed = 'run' | 'job' | 'paid';
const WORK = { run: WHOLE, job: JOB, paid: PAID } as const satisfies Record<Killed, readonly string[]>;

/**
 * Right after the nth write, as the run goes on from its nth work, which may not be on record yet, or as its nth
 * answer that is paid for has come, before anything is made of it.
 */
export type Moment = `${keyof typeof SORTS} ${number}`;
const SORTS = { write: true, told: true, paid: true };

async function runChild(
  what: Killed,
  place: Place,
  { file, dieAt = '' }: { file: string; dieAt?: Moment | '' },
) {
  const { projectId, dataDir, databaseUrl = '-' } = place.location;
  const args = [await bundleProgram(CHILD), what, projectId, dataDir, databaseUrl, file, dieAt];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return { signal, said };
}

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean);

function workFile(place: Place): string {
  const file = join(place.location.dataDir, 'work.txt');
  writeFileSync(file, '');
  return file;
}

/** @returns every moment that a process which nobody kills comes through */
export async function momentsOf(what: Killed, makePlace: () => Place): Promise<Moment[]> {
  await using place = makePlace();
  const file = workFile(place);
  const { said } = await runChild(what, place, { file });
  expect(linesOf(file).sort()).toEqual([...WORK[what]].sort());
  const { write, told, paid } = JSON.parse(said) as Record<keyof typeof SORTS, number>;
  const all = (sort: keyof typeof SORTS, count: number) =>
    Array.from({ length: count }, (_, at): Moment => `${sort} ${at + 1}`);
  return [...all('write', write), ...all('told', told), ...all('paid', paid)];
}

/** Whether a process that ended by itself came through a moment. */
function hasCome(said: string, moment: Moment): boolean {
  const [sort = '', count] = moment.split(' ');
  const counts = JSON.parse(said) as Record<string, number>; // as the process says at its end
  return (counts[sort] ?? 0) >= Number(count);
}

/**
 * Kills a process at a moment, and holds that the next loses nothing, and repeats nothing that was on record.
 * @returns whether it came to that moment
 */
export async function killAt(what: Killed, makePlace: () => Place, dieAt: Moment): Promise<boolean> {
  await using place = makePlace();
  const file = workFile(place);
  const { signal, said } = await runChild(what, place, { file, dieAt });
  // How much comes together in one write differs from time to time.
  if (signal === null) {
    expect(hasCome(said, dieAt)).toBe(false);
    return false;
  }
  expect(signal).toBe('SIGKILL');
  await using next = startEngine(
    place,
    killedKinds(file),
    killedCalls(file, () => next.runs),
  );
  const { on } = await next.engine.open();
  const done = await on.db
    .selectFrom('runs_steps')
    .innerJoin('runs_runs', 'runs_runs.id', 'runs_steps.run_id')
    .select(['runs_steps.name', 'runs_runs.kind'])
    .where('runs_steps.status', '=', 'completed')
    .execute();
  await next.engine.adopt();
  const query = { limit: 9, ...(what === 'job' ? { kind: 'nexus.job' } : {}) };
  const { runs, total } = await next.runs.list(query);
  expect(total).toBe(1);
  const [run] = runs;
  const end = await ended(next.runs, run?.id ?? '');
  expect(end).toMatchObject({ status: 'completed', ...(what === 'job' ? {} : { output: WORK[what] }) });
  const lines = linesOf(file);
  expect([...new Set(lines)].sort()).toEqual([...WORK[what]].sort());
  // Nobody dies between a call and the write of its answer: none is made again.
  if (what === 'paid') {
    expect(lines).toEqual(PAID);
    expect(end.budget).toMatchObject({ spent: { tokens: 10 * PAID.length }, reserved: { tokens: 0 } });
  }
  for (const { name, kind } of done) {
    const work = kind === 'nexus.job' ? 'job' : name;
    if (!WORK[what].includes(work)) continue;
    expect([work, lines.filter((line) => line === work).length]).toEqual([work, 1]);
  }
  return true;
}
