import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const FORMAT = 1;

const header = z.object({
  format: z.literal(FORMAT),
  model: z.string(),
  /** The model answers by a script: what comes of it says nothing of any model. */
  isScripted: z.boolean(),
});

const outcome = z.object({
  case: z.string(),
  kind: z.string(),
  way: z.enum(['nexus', 'direct']),
  /** As it came, to be looked at. */
  answer: z.unknown(),
  /** Why there is none. */
  failure: z.string().optional(),
  /** Empty where it failed. */
  score: z.record(z.string(), z.boolean()),
  spent: z.object({
    calls: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    costUsd: z.number(),
    unpriced: z.number(),
  }),
  ms: z.number(),
});

export type RecordHeader = z.output<typeof header>;
export type Outcome = z.output<typeof outcome>;

export interface Recorded extends RecordHeader {
  readonly outcomes: readonly Outcome[];
}

/** Begins a record: a header, then a line of JSON for each case and way as it ends. */
export function beginRecord(file: string, of: Omit<RecordHeader, 'format'>): (outcome: Outcome) => void {
  writeFileSync(file, `${JSON.stringify({ format: FORMAT, ...of })}\n`);
  return (each) => appendFileSync(file, `${JSON.stringify(each)}\n`);
}

/** @throws for what is no record */
export function readRecord(file: string): Recorded {
  const [first = '', ...rest] = readFileSync(file, 'utf8').trimEnd().split('\n');
  return {
    ...header.parse(JSON.parse(first)),
    outcomes: rest.map((line) => outcome.parse(JSON.parse(line))),
  };
}
