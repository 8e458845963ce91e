import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export const STEPS = 8;
const STEP_MS = 700;

/** A line of what was done, with the clock of the machine. */
export interface Line {
  readonly run: string;
  /** Which step of it; absent for the run as a whole. */
  readonly step?: number;
  readonly what: 'begun' | 'ended' | 'completed' | 'failed' | 'is up'; // failed: whoever waited was told an error
  readonly pid: number;
  readonly at: number;
}

/** What a process under comparison is told. */
export interface Told {
  readonly databaseUrl: string;
  readonly file: string;
  readonly executor: string;
  /** The runs that it starts, or waits for where they are started; none for one that is only there. */
  readonly runs: readonly string[];
}

export function toldBy([databaseUrl = '', file = '', executor = '', runs = '']: readonly string[]): Told {
  return { databaseUrl, file, executor, runs: runs.split(',').filter((run) => run !== '') };
}

export function note(file: string, line: Omit<Line, 'pid' | 'at'>): void {
  appendFileSync(file, `${JSON.stringify({ ...line, pid: process.pid, at: Date.now() })}\n`);
}

/** One step's work: its end is on file before whoever runs it hears of it, as a paid answer is. */
export async function work(file: string, run: string, step: number): Promise<number> {
  note(file, { run, step, what: 'begun' });
  await sleep(STEP_MS);
  note(file, { run, step, what: 'ended' });
  return step;
}

/** Waits for a run as a patient client does: an error of the waiting says nothing of the run. */
export async function untilCompleted(file: string, run: string, wait: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await wait();
      return note(file, { run, what: 'completed' });
    } catch (error) {
      process.stderr.write(`${run}: ${String(error)}\n`);
      note(file, { run, what: 'failed' });
      await sleep(1_000);
    }
  }
}

export function linesOf(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
