import { existsSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLine } from '../chain/event.ts';
import { OPENINGS, segmentsOf, writersOf } from '../chain/places.ts';
import { linesOf } from '../chain/read-chain.ts';
import type { Opening } from './commitment.ts';

/**
 * Takes away what opens the commitments of a trail, and the texts where they are kept: from then on nobody can tell what
 * they were to, and the chains are whole.
 * @param before of events that are older; by default of all
 * @returns how many commitments can't be opened any more
 */
export function eraseOpenings(trail: string, before?: Date): number {
  let erased = 0;
  for (const { folder } of writersOf(trail)) {
    const file = join(folder, OPENINGS);
    if (!existsSync(file)) continue;
    const rows = readFileSync(file, 'utf8')
      .split('\n')
      .filter((row) => row !== '');
    const kept = before === undefined ? [] : rows.filter(isKept(folder, before));
    erased += rows.length - kept.length;
    if (kept.length === 0) unlinkSync(file);
    else if (kept.length < rows.length) {
      writeFileSync(`${file}.new`, kept.map((row) => `${row}\n`).join(''), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    }
  }
  return erased;
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
