import { type ChainLine, readLine } from './event.ts';
import { segmentsOf, writersOf } from './places.ts';
import { linesOf } from './read-chain.ts';

/** The lines of all chains as they stand, a writer after the other, each in its order. */
export function* chainLines(trail: string): Generator<string, void> {
  for (const { folder } of writersOf(trail)) {
    for (const file of segmentsOf(folder)) {
      for (const { text, isWhole } of linesOf(file)) if (isWhole) yield text;
    }
  }
}

/** The newest events of all writers by their clocks, the oldest of them first; what can't be read is left out. */
export function newestEvents(trail: string, most: number): ChainLine[] {
  let newest: ChainLine[] = [];
  const keep = () => {
    newest = newest.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0)).slice(-most);
  };
  for (const text of chainLines(trail)) {
    const line = readLine(text);
    if (typeof line !== 'string') newest.push(line);
    if (newest.length >= 2 * most + 1_000) keep();
  }
  keep();
  return newest;
}
