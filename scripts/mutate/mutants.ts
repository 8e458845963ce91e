import { z } from 'zod';

const place = z.object({ line: z.number(), column: z.number() });
const report = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.string(),
      mutants: z.array(
        z.object({
          mutatorName: z.string(),
          replacement: z.string().optional(),
          status: z.string(),
          location: z.object({ start: place, end: place }),
        }),
      ),
    }),
  ),
});

/** What became of the mutants of one file. */
export interface Mutants {
  readonly total: number;
  /** Those that a test failed on, and those that made the tests hang. */
  readonly killed: number;
  readonly hung: number;
  /** Each as it is listed: what stood there, and what stood there instead. */
  readonly survivors: readonly string[];
}

const SURVIVED = new Set(['Survived', 'NoCoverage']);
const LONGEST = 120;

/** Reads Stryker's report; those that do not compile or that an ignorer names are no mutants. */
export function readMutants(value: unknown, file: string): Mutants {
  const found = report.parse(value).files[file];
  if (!found) return { total: 0, killed: 0, hung: 0, survivors: [] };
  const lines = found.source.split('\n');
  const survivors = found.mutants.filter(({ status }) => SURVIVED.has(status));
  const count = (wanted: string) => found.mutants.filter(({ status }) => status === wanted).length;
  const hung = count('Timeout');
  const killed = count('Killed') + hung;
  return {
    total: killed + survivors.length,
    killed,
    hung,
    survivors: survivors.map(({ location: { start, end }, replacement, mutatorName }) => {
      const line = lines[start.line - 1] ?? '';
      const until = start.line === end.line ? end.column - 1 : line.length;
      const before = line.slice(0, start.column - 1).trimStart();
      const cut = `${before}[${line.slice(start.column - 1, until)}]${line.slice(until)}`.trimEnd();
      return `${cut} → ${oneLine(replacement ?? mutatorName)}`;
    }),
  };
}

function oneLine(text: string): string {
  const folded = text.replace(/\s+/g, ' ');
  return folded.length > LONGEST ? `${folded.slice(0, LONGEST)}…` : folded;
}
