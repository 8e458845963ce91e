import { isRecord } from '@nexus/core/json-type';

/** One place in which two locks differ. */
export interface Difference {
  readonly section: string;
  /** The tool, resource or prompt. */
  readonly name: string;
  /** Dotted, inside the definition; empty when the whole of it came or went. */
  readonly path: string;
  /** Undefined where there was nothing. */
  readonly before: unknown;
  /** Undefined where there is nothing any more. */
  readonly after: unknown;
}

/** Sections of definitions by name; a lock, or a lock with more beside it. */
type Sections = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Every difference between what was locked and what is served; the order of keys is none. */
export function differences(locked: Sections, served: Sections): Difference[] {
  return namesOf(locked, served).flatMap((section) => {
    const [before, after] = [locked[section] ?? {}, served[section] ?? {}];
    return namesOf(before, after).flatMap((name) =>
      compare(own(before, name), own(after, name), '').map((found) => ({ section, name, ...found })),
    );
  });
}

/** `tool search_codebase: inputSchema.properties.limit.maximum: 50 -> 100` */
export function describeDifference({ section, name, path, before, after }: Difference): string {
  const subject = `${section.replace(/s$/, '')} ${name}`;
  if (path === '' && before === undefined) return `${subject}: added`;
  if (path === '' && after === undefined) return `${subject}: removed`;
  const [old, now] = excerpts(toText(before), toText(after));
  return `${subject}: ${path === '' ? '' : `${path}: `}${old} -> ${now}`;
}

type Found = Pick<Difference, 'path' | 'before' | 'after'>;

function compare(before: unknown, after: unknown, path: string): Found[] {
  const at = (key: string) => (path === '' ? key : `${path}.${key}`);
  if (isRecord(before) && isRecord(after)) {
    return namesOf(before, after).flatMap((key) => compare(own(before, key), own(after, key), at(key)));
  }
  if (isListOfRecords(before) && isListOfRecords(after) && before.length === after.length) {
    return before.flatMap((item, index) => compare(item, after[index], at(String(index))));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

function isListOfRecords(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

/** A name may be `constructor` or `toString`, which every object inherits. */
function own(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function namesOf(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
}

function toText(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

/** Long texts are cut to where they part, with a few words before it. */
function excerpts(before: string, after: string): [string, string] {
  const maxLength = 160;
  if (before.length <= maxLength && after.length <= maxLength) return [before, after];
  const parting = before.split('').findIndex((character, index) => character !== after[index]);
  const start = Math.max(0, (parting < 0 ? before.length : parting) - 30);
  const cut = (text: string) =>
    `${start > 0 ? '…' : ''}${text.slice(start, start + maxLength)}${text.length > start + maxLength ? '…' : ''}`;
  return [cut(before), cut(after)];
}
