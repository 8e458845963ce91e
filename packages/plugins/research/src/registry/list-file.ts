import { ToolError } from '@nexus/plugin-sdk';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  type YAMLMap,
  YAMLSeq,
} from 'yaml';
import { type Entry, type Kind, kinds } from './entries.ts';

/** A file of the registry, open to be read and changed; comments, order and what is unknown stay as they are. */
export interface ListFile<Of extends Kind> {
  readonly entries: readonly Entry<Of>[];
  add(entry: object): void;
  /** Sets one member of the entry at this place. */
  set(at: number, member: string, value: unknown): void;
  remove(at: number): void;
  toString(): string;
}

const MAX_FAULTS = 10;
/** What the parser says of its own stack. */
const TOO_DEEP = /call stack/i;

/**
 * @param name of the file, for messages
 * @throws {ToolError} NEXUS_FILE_UNREADABLE naming each fault with line and column
 */
export function openList<Of extends Kind>(kind: Of, text: string, name: string): ListFile<Of> {
  const isWindows = text.includes('\r\n');
  const lines = new LineCounter();
  const bare = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const document = parseDocument(bare.trim() === '' ? emptyText(kind) : bare, {
    lineCounter: lines,
    prettyErrors: false,
    strict: true,
  });
  const faults = new Faults(name, lines);
  for (const { message, pos } of document.errors)
    faults.add(pos[0], conflictAt(bare, pos[0]) ?? (TOO_DEEP.test(message) ? 'is nested too deep' : message));
  faults.throwAny();
  const list = listIn(document, kind, faults);
  const entries = list.items.flatMap((item) => readEntry(item as ParsedNode, kind, faults) ?? []);
  faults.throwAny();
  refuseTwins(entries, list, faults);
  faults.throwAny();
  return {
    entries,
    add(entry) {
      list.flow = false;
      list.add(document.createNode(entry));
    },
    set(at, member, value) {
      const item = list.items[at];
      if (isMap(item)) item.set(member, value);
    },
    remove: (at) => list.items.splice(at, 1),
    toString() {
      const written = document.toString({ lineWidth: 0, ...layoutOf(bare) });
      return isWindows ? written.replaceAll('\n', '\r\n') : written;
    },
  };
}

function emptyText(kind: Kind): string {
  return `# ${kinds[kind].about}. Yours to edit: docs/research.md of Nexus says what an entry may hold.\n${kind}:\n`;
}

/** As the file has it, since writing must change no line that nobody touched. */
function layoutOf(text: string): { indent: number; indentSeq: boolean } {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  const indent = lines.map((line) => line.length - line.trimStart().length).find((width) => width > 0) ?? 2;
  const list = lines.findIndex((line) => /^\w+:/.test(line));
  return { indent: Math.min(8, Math.max(2, indent)), indentSeq: !lines[list + 1]?.startsWith('- ') };
}

class Faults {
  readonly #name: string;
  readonly #lines: LineCounter;
  readonly #found: string[] = [];

  constructor(name: string, lines: LineCounter) {
    this.#name = name;
    this.#lines = lines;
  }

  add(offset: number, what: string): void {
    this.#found.push(`${this.placeOf(offset)}: ${what}`);
  }

  placeOf(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.#name}:${line}:${col}`;
  }

  throwAny(): void {
    if (this.#found.length === 0) return;
    const more = this.#found.length - MAX_FAULTS;
    const shown = [...this.#found.slice(0, MAX_FAULTS), ...(more > 0 ? [`and ${more} more`] : [])];
    throw new ToolError(
      'NEXUS_FILE_UNREADABLE',
      `The registry can’t be read until this is mended by hand; nothing was changed:\n${shown.join('\n')}`,
    );
  }
}

function conflictAt(text: string, offset: number): string | undefined {
  const before = text.slice(0, offset + 8);
  const line = before.slice(before.lastIndexOf('\n', offset) + 1);
  const near = text.split('\n').find((each) => /^(?:<{7}|={7}|>{7})(?: |$)/.test(each));
  return near !== undefined && (/^[<=>]/.test(line) || before.includes(near))
    ? 'git has left a conflict here; keep what is right and take its marks out'
    : undefined;
}

function listIn(document: Document.Parsed, kind: Kind, faults: Faults): YAMLSeq {
  const { contents } = document;
  if (contents !== null && !isMap(contents)) {
    faults.add(contents.range[0], `the file must hold "${kind}:" and a list`);
    faults.throwAny();
  }
  if (contents === null) document.set(kind, new YAMLSeq());
  const map = document.contents as unknown as YAMLMap;
  const found = map.get(kind, true);
  if (isSeq(found)) return found;
  const isEmpty = found === undefined || (isScalar(found) && found.value === null);
  if (!isEmpty) {
    const at = (found as ParsedNode).range?.[0] ?? 0;
    faults.add(at, `"${kind}" must be a list`);
    faults.throwAny();
  }
  const list = new YAMLSeq();
  map.set(kind, list);
  return list;
}

function readEntry<Of extends Kind>(node: ParsedNode, kind: Of, faults: Faults): Entry<Of> | undefined {
  const plain = toPlain(node, faults);
  const parsed = kinds[kind].entry.safeParse(plain);
  // Parsed by the schema of this kind.
  if (parsed.success) return parsed.data as Entry<Of>;
  for (const issue of parsed.error.issues) {
    const { at, isThere } = nodeAt(node, issue.path);
    const where = issue.path.length === 0 ? 'an entry' : issue.path.join('.');
    const missing = !isThere && issue.code === 'invalid_type';
    faults.add(at, missing ? `${where} is missing` : `${where}: ${issue.message}`);
  }
  return undefined;
}

/** The values as they are written: an id such as 2101.10000 is no number. */
function toPlain(node: ParsedNode | null, faults: Faults): unknown {
  if (node === null) return undefined;
  if (isAlias(node)) {
    faults.add(node.range[0], 'a reference (*) to another part of the file is not read here; write it out');
    return undefined;
  }
  if (isSeq(node)) return node.items.map((item) => toPlain(item as ParsedNode, faults));
  if (isMap(node)) {
    const pairs = node.items.map(({ key, value }) => [
      isScalar(key) ? String(key.source ?? key.value) : '',
      toPlain(value as ParsedNode | null, faults),
    ]);
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
  }
  if (!isScalar(node) || node.value === null) return undefined;
  return typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
}

/** The node that a path leads to, or the last before it ends. */
function nodeAt(node: ParsedNode, path: readonly PropertyKey[]): { at: number; isThere: boolean } {
  let at: unknown = node;
  for (const key of path) {
    const next = isMap(at) || isSeq(at) ? at.get(key, true) : undefined;
    if (next === undefined) return { at: offsetOf(at, node), isThere: false };
    at = next;
  }
  return { at: offsetOf(at, node), isThere: true };
}

function offsetOf(node: unknown, otherwise: ParsedNode): number {
  const { range } = node as { range?: readonly [number, number, number] | null };
  return range?.[0] ?? otherwise.range[0];
}

/** Two entries for one thing, as two branches make them. */
function refuseTwins(entries: readonly Entry<Kind>[], list: YAMLSeq, faults: Faults): void {
  const seen = new Map<string, number>();
  entries.forEach((entry, at) => {
    const own = 'ids' in entry ? [entry.id, ...(entry.ids as string[])] : [entry.id];
    for (const id of new Set(own)) {
      const first = seen.get(id);
      if (first === undefined) seen.set(id, at);
      else {
        const [here, there] = [at, first].map((place) =>
          offsetOf(list.items[place], list.items[place] as ParsedNode),
        );
        faults.add(
          here ?? 0,
          `${id} has an entry already, at ${faults.placeOf(there ?? 0)}; make one of the two`,
        );
        return;
      }
    }
  });
}
