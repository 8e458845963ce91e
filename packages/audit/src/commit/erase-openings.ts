import { appendFileSync, existsSync, readFileSync, renameSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readLine } from '../chain/event.ts';
import { OPENINGS, segmentsOf, writersOf } from '../chain/places.ts';
import { linesOf } from '../chain/read-chain.ts';
import type { Opening } from './commitment.ts';

/** Far longer than a row takes that was begun before its file was put aside. */
const SETTLED_MS = 100;

/**
 * Takes away what opens the commitments of a trail, and the texts where they are kept: from then on nobody can tell what
 * they were to, and the chains are whole. What is written meanwhile stays.
 * @param before of events that are older; by default of all there are
 * @returns how many commitments can't be opened any more
 */
export async function eraseOpenings(trail: string, before?: Date): Promise<number> {
  const folders = writersOf(trail).map(({ folder }) => folder);
  // Writers go on in a file of their own making; one that is aside since an erasure was ended is taken up.
  for (const folder of folders) {
    if (!existsSync(aside(folder)) && existsSync(join(folder, OPENINGS))) {
      renameSync(join(folder, OPENINGS), aside(folder));
    }
  }
  await delay(SETTLED_MS);
  let erased = 0;
  for (const folder of folders.filter((each) => existsSync(aside(each)))) {
    const rows = readFileSync(aside(folder), 'utf8').split('\n').filter(isWhole);
    const kept = before === undefined ? [] : rows.filter(isKept(folder, before));
    erased += rows.length - kept.length;
    if (kept.length > 0) {
      appendFileSync(join(folder, OPENINGS), kept.map((row) => `${row}\n`).join(''), { mode: 0o600 });
    }
    unlinkSync(aside(folder));
  }
  return erased;
}

/** Where openings lie while they are erased. */
export function aside(folder: string): string {
  return join(folder, `${OPENINGS}.erasing`);
}

/** Half a row, of a writer that was killed, opens nothing. */
function isWhole(row: string): boolean {
  try {
    return typeof (JSON.parse(row) as Partial<Opening>).seq === 'number';
  } catch {
    return false;
  }
}

function isKept(folder: string, before: Date): (row: string) => boolean {
  const limit = before.toISOString();
  const young = new Set<number>();
  for (const file of segmentsOf(folder)) {
    for (const { text } of linesOf(file)) {
      const line = readLine(text);
      if (typeof line !== 'string' && line.at >= limit) young.add(line.seq);
    }
  }
  return (row) => young.has((JSON.parse(row) as Opening).seq);
}
