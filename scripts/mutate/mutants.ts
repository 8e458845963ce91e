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
          /** How many tests ran, where any was to. */
          testsCompleted: z.number().optional(),
          location: z.object({ start: place, end: place }),
        }),
      ),
    }),
  ),
});

/** What became of the mutants of one file. */
export interface Mutants {
  readonly total: number;
  /** Those that a test failed on, that kept the tests from being loaded, or that made them hang. */
  readonly killed: number;
  readonly hung: number;
  /** Each as it is listed: what stood there, and what stood there instead. */
  readonly survivors: readonly string[];
}

type Mutant = z.infer<typeof report>['files'][string]['mutants'][number];

const LONGEST = 120;

/** Reads Stryker's report; those that do not compile or that an ignorer names are no mutants. */
export function readMutants(value: unknown, file: string): Mutants {
  const found = report.parse(value).files[file];
  if (!found) return { total: 0, killed: 0, hung: 0, survivors: [] };
  const lines = found.source.split('\n');
  const survivors = found.mutants.filter(hasSurvived);
  const count = (wanted: string) => found.mutants.filter(({ status }) => status === wanted).length;
  const hung = count('Timeout');
  const killed = count('Killed') + hung + found.mutants.filter(keepsTestsFromLoading).length;
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

function hasSurvived(mutant: Mutant): boolean {
  return mutant.status === 'NoCoverage' || (mutant.status === 'Survived' && !keepsTestsFromLoading(mutant));
}

/** A file of tests that fails as it is loaded has none that fail: Stryker takes the mutant for one that survived. */
function keepsTestsFromLoading({ status, testsCompleted }: Mutant): boolean {
  return status === 'Survived' && testsCompleted === 0;
}

function oneLine(text: string): string {
  const folded = text.replace(/\s+/g, ' ');
  return folded.length > LONGEST ? `${folded.slice(0, LONGEST)}…` : folded;
}
