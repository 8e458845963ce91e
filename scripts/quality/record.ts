import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const FORMAT = 1;

export const ways = ['nexus', 'direct'] as const;

export type Way = (typeof ways)[number];

const header = z.object({
  format: z.literal(FORMAT),
  model: z.string(),
  /** The model answers by a script: what comes of it says nothing of any model. */
  isScripted: z.boolean(),
});

const outcome = z.object({
  case: z.string(),
  kind: z.string(),
  way: z.enum(ways),
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

/** @throws an Error that names the file, and the line that is none of a record */
export function readRecord(file: string): Recorded {
  const [first = '', ...rest] = readFileSync(file, 'utf8').trimEnd().split('\n');
  return {
    ...readLine(file, 1, header, first),
    outcomes: rest.map((line, at) => readLine(file, at + 2, outcome, line)),
  };
}

function readLine<Read>(file: string, line: number, shape: z.ZodType<Read>, text: string): Read {
  const wrong = (why: string) =>
    new Error(`${file}:${line} is no line of a record as --record writes it: ${why}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong('it is no JSON');
  }
  const read = shape.safeParse(value);
  if (!read.success) throw wrong(z.prettifyError(read.error));
  return read.data;
}
