import { canonicalJson, cutEnd } from '@nexus/primitives';
import { exactJson } from './exact-json.ts';
import { type Packed, Partitions } from './partitions.ts';
import { formatOf, readRows } from './read-rows.ts';
import { keyText, rowPath, valueAt } from './row-paths.ts';
import { Tally } from './tally.ts';
import type { Change, CompareAnswer, CompareTask, FeedFile, FeedSummary, ShownPart } from './task.ts';

/** About so much of both files together is compared at once. */
const PARTITION_BYTES = 2 * 1024 * 1024;
const MAX_PARTITIONS = 512;
/** Of a value as it is shown. */
const MAX_SHOWN_CHARS = 200;

interface Known {
  readonly fields: Packed[1];
  readonly text: string;
  times: number;
  differ: boolean;
}

/** Of a file, while it is read and while its keys are counted. */
class Side {
  rows = 0;
  keys = 0;
  readonly withoutKey: Tally<number>;
  readonly doubled: Tally<FeedSummary['doubled']['shown'][number]>;
  readonly unreadable: Tally<FeedSummary['unreadable']['shown'][number]>;

  readonly file: FeedFile;
  readonly format: FeedSummary['format'];
  readonly partitions: Partitions;

  constructor({ file, format, partitions }: Pick<Side, 'file' | 'format' | 'partitions'>, part: ShownPart) {
    this.withoutKey = new Tally(part);
    this.doubled = new Tally(part);
    this.unreadable = new Tally(part);
    this.file = file;
    this.format = format;
    this.partitions = partitions;
  }

  /** The first row of each key is what is compared; the others are counted. */
  async firstOfEach(at: number): Promise<Map<string, Known>> {
    const known = new Map<string, Known>();
    for await (const [key, fields] of this.partitions.read(at)) {
      const text = canonicalJson(fields);
      const first = known.get(key);
      if (!first) known.set(key, { fields, text, times: 1, differ: false });
      else {
        first.times += 1;
        first.differ ||= first.text !== text;
      }
    }
    this.keys += known.size;
    for (const [key, { times, differ }] of known) {
      if (times > 1) this.doubled.add({ key: cutEnd(key, MAX_SHOWN_CHARS), times, differ });
    }
    return known;
  }

  get summary(): FeedSummary {
    const { file, format, rows, keys, withoutKey, doubled, unreadable } = this;
    return { path: file.shown, format, rows, keys, withoutKey, doubled, unreadable };
  }
}

/**
 * Holds two files of records against each other by a key. Both are read once, as streams, and their rows are parted
 * by key into files of the task's folder, of which one pair is held at a time: memory does not grow with the files.
 */
export async function compareFeeds({
  a,
  b,
  keyPath,
  compareFields,
  folder,
  ...part
}: CompareTask): Promise<CompareAnswer> {
  const path = rowPath(keyPath);
  const count = Math.min(MAX_PARTITIONS, Math.max(1, Math.ceil((a.bytes + b.bytes) / PARTITION_BYTES)));
  const formats = { a: formatOf(a, path), b: formatOf(b, path) };
  // In CSV all is text, so what it is held against is taken as text, too.
  const asText = formats.a === 'csv' || formats.b === 'csv';
  const seen = new Set<string>();
  const pack = (row: unknown) => {
    const names = compareFields ?? (typeof row === 'object' && row !== null ? Object.keys(row) : []);
    return Object.fromEntries(
      names.flatMap((name) => {
        const text = fieldText(valueAt(row, name), asText);
        if (text === undefined) return [];
        if (compareFields) seen.add(name);
        return [[name, text]];
      }),
    );
  };

  async function read(name: 'a' | 'b', file: FeedFile): Promise<Side> {
    const partitions = new Partitions(folder, name, count);
    const side = new Side({ file, format: formats[name], partitions }, part);
    try {
      await readRows(file, side.format, {
        path,
        to: {
          row(value) {
            side.rows += 1;
            const key = keyText(valueAt(value, path.key));
            if (key === undefined) side.withoutKey.add(side.rows);
            else side.partitions.add([key, pack(value)]);
          },
          unreadable(why) {
            side.rows += 1;
            side.unreadable.add({ row: side.rows, why });
          },
        },
      });
    } finally {
      side.partitions.close();
    }
    return side;
  }

  const left = await read('a', a);
  const right = await read('b', b);
  let same = 0;
  const changed = new Tally<Change>(part);
  const onlyInA = new Tally<string>(part);
  const onlyInB = new Tally<string>(part);
  for (let at = 0; at < count; at += 1) {
    const inA = await left.firstOfEach(at);
    const inB = await right.firstOfEach(at);
    for (const [key, known] of inA) {
      const other = inB.get(key);
      if (!other) onlyInA.add(cutEnd(key, MAX_SHOWN_CHARS));
      else if (other.text === known.text) same += 1;
      else changed.add({ key: cutEnd(key, MAX_SHOWN_CHARS), fields: difference(known.fields, other.fields) });
    }
    for (const key of inB.keys()) if (!inA.has(key)) onlyInB.add(cutEnd(key, MAX_SHOWN_CHARS));
  }
  const fieldsNotFound = (compareFields ?? []).filter((name) => !seen.has(name));
  return { a: left.summary, b: right.summary, same, changed, onlyInA, onlyInB, fieldsNotFound };
}

/** Undefined where there is no value; in text, none is the same as an empty one. */
function fieldText(value: unknown, asText: boolean): string | undefined {
  if (value === undefined) return undefined;
  if (!asText) return exactJson(value);
  const text = value === null ? '' : typeof value === 'object' ? exactJson(value) : String(value);
  return text === '' ? undefined : text;
}

function difference(a: Packed[1], b: Packed[1]): Change['fields'] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return Object.fromEntries(
    names
      .filter((name) => a[name] !== b[name])
      .map((name) => [name, { a: cutOrNull(a[name]), b: cutOrNull(b[name]) }]),
  );
}

const cutOrNull = (text: string | undefined) => (text === undefined ? null : cutEnd(text, MAX_SHOWN_CHARS));
