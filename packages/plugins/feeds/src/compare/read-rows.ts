import { closeSync, createReadStream, openSync, readFileSync, readSync } from 'node:fs';
import { cutEndCounted } from '@nexus/primitives';
import { parse } from 'csv-parse';
import { exactReader, parseExact } from './exact-json.ts';
import { Refusal } from './refusal.ts';
import { type RowPath, valueAt } from './row-paths.ts';
import type { FeedFile, FeedSummary } from './task.ts';

export interface RowReader {
  row(value: unknown): void;
  /** The next row is there and can't be read. */
  unreadable(why: string): void;
}

type Format = FeedSummary['format'];

/** Of one row, in characters. */
const MAX_ROW = 1_000_000;
const CHUNK = 64 * 1024;

/** Gives each row as it is read; nothing of the file is held but the row at hand. */
export async function readRows(
  file: FeedFile,
  format: Format,
  { path, to }: { readonly path: RowPath; readonly to: RowReader },
): Promise<void> {
  if (format === 'csv') return readCsv(file, to);
  if (format === 'ndjson') return readNdjson(file, to);
  return readJson(file, path, to);
}

/**
 * By the file's name, else by how it begins. A `.json` that holds a record a line is NDJSON; of a single line the key
 * says whether it is a record or holds the list of them.
 */
export function formatOf(file: FeedFile, { list, key }: RowPath): Format {
  const extension = /\.([a-z]+)$/i.exec(file.path)?.[1]?.toLowerCase();
  if (extension === 'csv' || extension === 'tsv') return 'csv';
  if (extension === 'ndjson' || extension === 'jsonl') return 'ndjson';
  const start = startOf(file)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start.startsWith('[')) return 'json';
  if (!start.startsWith('{')) {
    if (extension === 'json') throw new Refusal(`${file.shown} is no JSON: it begins with neither [ nor {.`);
    return 'csv';
  }
  const [first = '', ...others] = start.split('\n');
  if (!parses(first)) return 'json';
  if (others.some((line) => line.trim() !== '')) return 'ndjson';
  return list.length === 0 && valueAt(JSON.parse(first), key) !== undefined ? 'ndjson' : 'json';
}

function startOf({ path }: FeedFile): string {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(CHUNK);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function readCsv(file: FeedFile, to: RowReader): Promise<void> {
  const [first = ''] = startOf(file).split(/\r?\n/, 1);
  const delimiter = [',', ';', '\t'].reduce((best, each) =>
    first.split(each).length > first.split(best).length ? each : best,
  );
  const parser = createReadStream(file.path).pipe(
    parse({
      bom: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW,
    }),
  );
  let header: readonly string[] | undefined;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (!header) header = columnsOf(file, cells);
      else if (cells.length !== header.length)
        to.unreadable(`has ${cells.length} cells, and the header ${header.length}`);
      else to.row(Object.fromEntries(header.map((name, at) => [name, cells[at]])));
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`${file.shown} can’t be read as CSV: ${messageOf(error)}`);
  }
}

function columnsOf({ shown }: FeedFile, cells: readonly string[]): readonly string[] {
  const names = cells.map((name) => name.trim());
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (twice === undefined) return names;
  throw new Refusal(`${shown} has two columns that are named ${JSON.stringify(twice)}.`);
}

async function readNdjson(file: FeedFile, to: RowReader): Promise<void> {
  const decoder = new TextDecoder();
  let line = '';
  const take = (text: string) => {
    if (text.trim() === '') return;
    if (parses(text)) to.row(parseExact(text));
    else to.unreadable('is no JSON');
  };
  for await (const chunk of createReadStream(file.path, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>) {
    const lines = (line + decoder.decode(chunk, { stream: true })).split('\n');
    line = lines.pop() ?? '';
    if (line.length > MAX_ROW)
      throw new Refusal(`${file.shown} has a line of more than ${MAX_ROW} characters.`);
    for (const each of lines) take(each);
  }
  take(line + decoder.decode());
}

async function readJson(file: FeedFile, { list }: RowPath, to: RowReader): Promise<void> {
  let failed: unknown;
  let isWhole = false;
  let rows = 0;
  let sinceRow = 0;
  const parser = exactReader(['$', ...list, '*'].join('.'), {
    value(value, key) {
      if (typeof key !== 'number') return;
      sinceRow = 0;
      rows += 1;
      to.row(value);
    },
    end() {
      isWhole = true;
    },
  });
  parser.onError = (error) => {
    failed = error;
  };
  const start = startOf(file).startsWith('\uFEFF') ? Buffer.byteLength('\uFEFF') : 0;
  const chunks = createReadStream(file.path, { highWaterMark: CHUNK, start });
  for await (const chunk of chunks as AsyncIterable<Buffer>) {
    sinceRow += chunk.length;
    if (sinceRow > MAX_ROW + CHUNK) throw tooLong(file);
    parser.write(chunk);
    if (failed !== undefined) throw new Refusal(`${file.shown} can’t be read as JSON: ${messageOf(failed)}`);
  }
  if (!isWhole) throw new Refusal(`${file.shown} can’t be read as JSON: it ends in its middle.`);
  if (rows === 0) assertEmptyList(file, list);
}

function assertEmptyList({ path, shown }: FeedFile, list: readonly string[]): void {
  const whole: unknown = JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  const value = list.length === 0 ? whole : valueAt(whole, list.join('.'));
  if (Array.isArray(value)) return;
  const where = list.length === 0 ? 'at its top' : `at ${list.join('.')}`;
  throw new Refusal(
    `${shown} has no list ${where}. Name the list in keyPath, such as items[].id; without [] the file itself is the list.`,
  );
}

function tooLong({ shown }: FeedFile): Refusal {
  return new Refusal(`${shown} has a row of more than ${MAX_ROW} bytes.`);
}

function messageOf(error: unknown): string {
  return cutEndCounted(error instanceof Error ? error.message : String(error), 200);
}
