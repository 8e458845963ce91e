import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Span, TraceRecord, Traces } from '@nexus/plugin-sdk';
import { eventTypeOf } from './conventions.ts';
import type { SpanSink } from './create-spans.ts';

/** Long enough for busy times to share one write. */
const GATHER_MS = 50;
const DAY_MS = 86_400_000;
/** How often what is too old or too much is looked for. */
const SWEEP_MS = 3_600_000;
/** And how often while so much is written as may be kept. */
const SWEEPS_A_FILL = 10;
/** The spans of one family of runs. */
type TraceOfRun = NonNullable<Awaited<ReturnType<Traces['read']>>>;

/** As ids of runs are made; a name of a file. */
const FAMILY = /^[A-Za-z0-9_-]{1,100}$/;
const SUFFIX = '.jsonl';
/** The file of a day for calls that are part of no run. */
const CALLS = 'calls';

export interface TraceFilesParts {
  readonly folder: string;
  /** Whether calls outside of runs are kept, too. */
  readonly withCalls: boolean;
  readonly keepDays: number;
  /** Of all files together. */
  readonly maxBytes: number;
  onFault(error: unknown): void;
}

export interface TraceFiles extends SpanSink {
  since(moment: number): AsyncGenerator<TraceRecord, void>;
  read(family: string): Promise<TraceOfRun | undefined>;
  /** Writes what is not written yet. */
  flush(): void;
}

/**
 * One JSONL file for each family of runs, and one a day for calls outside of runs; a line is a span, written when that is
 * over. Several processes may write the same file.
 */
export function traceFiles({ folder, withCalls, keepDays, maxBytes, onFault }: TraceFilesParts): TraceFiles {
  let rows: Span[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sweptAt = Number.NEGATIVE_INFINITY;
  /** Since then. */
  let written = 0;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const added = rows;
    rows = [];
    const byFile = new Map<string, string>();
    for (const span of added) {
      const file = fileOf(span);
      byFile.set(file, `${byFile.get(file) ?? ''}${JSON.stringify(span)}\n`);
    }
    try {
      if (byFile.size > 0) mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const [file, lines] of byFile) {
        appendFileSync(join(folder, file), lines, { mode: 0o600 });
        written += lines.length;
      }
      if (performance.now() - sweptAt > SWEEP_MS || written > maxBytes / SWEEPS_A_FILL) sweep();
    } catch (error) {
      onFault(error);
    }
  }

  /** Oldest first, until the rest is neither too old nor too much. */
  function sweep(): void {
    sweptAt = performance.now();
    written = 0;
    if (!existsSync(folder)) return;
    const files = readdirSync(folder)
      .filter((name) => name.endsWith(SUFFIX))
      .flatMap((name) => {
        const found = statSync(join(folder, name), { throwIfNoEntry: false });
        return found?.isFile() ? [{ name, at: found.mtimeMs, bytes: found.size }] : [];
      })
      .sort((a, b) => b.at - a.at);
    const oldest = Date.now() - keepDays * DAY_MS;
    let total = 0;
    for (const { name, at, bytes } of files) {
      total += bytes;
      if (at < oldest || total > maxBytes) rmSync(join(folder, name), { force: true });
    }
  }

  return {
    wants: ({ family }) => (family === undefined ? withCalls : FAMILY.test(family)),
    take(span) {
      rows.push(span);
      timer ??= setTimeout(flush, GATHER_MS).unref();
    },
    since(moment) {
      flush();
      return spansSince(folder, moment);
    },
    async read(family) {
      flush();
      return readTraceOf(folder, family);
    },
    flush,
  };
}

/** Every span of the folder that ended since: a file after the other, none of them held whole for longer than it is read. */
async function* spansSince(folder: string, moment: number): AsyncGenerator<TraceRecord, void> {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = name.endsWith(SUFFIX) ? statSync(path, { throwIfNoEntry: false }) : undefined;
    // What was not written since has no span that ended since.
    if (!found?.isFile() || found.mtimeMs < moment) continue;
    const { spans } = readTrace(await readFile(path, 'utf8'));
    for (const span of spans) if (span.endMs >= moment) yield span;
  }
}

/** @returns undefined where no trace of the family is in the folder */
export async function readTraceOf(folder: string, family: string): Promise<TraceOfRun | undefined> {
  const file = join(folder, `${family}${SUFFIX}`);
  if (!FAMILY.test(family) || !existsSync(file)) return undefined;
  return readTrace(await readFile(file, 'utf8'));
}

function fileOf({ family, startMs }: Span): string {
  return `${family ?? `${CALLS}-${dayOf(startMs)}`}${SUFFIX}`;
}

let known = { day: Number.NaN, text: '' };

/** Of a moment, as 2026-01-31. Most are of the day of the one before. */
function dayOf(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  if (day !== known.day) known = { day, text: new Date(day * DAY_MS).toISOString().slice(0, 10) };
  return known.text;
}

/** A span that was told twice, by a write that was made again, counts once. */
function readTrace(text: string): TraceOfRun {
  const spans = new Map<string, TraceRecord>();
  let unread = 0;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const record = recordOf(line);
    if (record) spans.set(`${record.spanId} ${record.startMs}`, record);
    else unread += 1;
  }
  return { spans: [...spans.values()].sort((a, b) => a.startMs - b.startMs), unread };
}

/** A line may be torn by the end of its process. */
function recordOf(line: string): TraceRecord | undefined {
  try {
    const read = JSON.parse(line) as Partial<TraceRecord> | null;
    const isWhole =
      typeof read?.name === 'string' &&
      typeof read.spanId === 'string' &&
      typeof read.startMs === 'number' &&
      typeof read.endMs === 'number' &&
      typeof read.attributes === 'object';
    return isWhole ? ({ ...(read as Span), type: eventTypeOf(read as Span) } as TraceRecord) : undefined;
  } catch {
    return undefined;
  }
}
