import {
  type Document,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml';
import { isKept, WOULD_BE_ROUNDED } from '../expressions/rounded.ts';
import type { Fault, Path, Place } from './fault.ts';

const MAX_DEPTH = 60;
const MULTIPLE = 'a second document begins here: a file holds one, so put the other into a file of its own';

/** A YAML text with where each of its parts stands. */
export class Source {
  /** Plain JSON; undefined where the text is no YAML. */
  readonly value: unknown;
  readonly faults: readonly Fault[];
  readonly #text: string;
  readonly #lines = new LineCounter();
  readonly #root: Node | null;

  constructor(text: string) {
    this.#text = text;
    const document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    this.#root = document.contents;
    const faults = [...document.errors, ...document.warnings].map(({ code, message, pos: [at] }) =>
      this.#fault(at, [], code === 'MULTIPLE_DOCS' ? MULTIPLE : message.trim()),
    );
    if (faults.length === 0) this.#findRounded(document, faults);
    if (faults.length === 0) this.value = this.#toJson(() => document.toJS({ maxAliasCount: 100 }), faults);
    this.faults = faults;
  }

  #toJson(read: () => unknown, faults: Fault[]): unknown {
    try {
      const value = read();
      this.#findForeign(value, [], faults);
      return faults.length === 0 ? value : undefined;
    } catch (error) {
      faults.push(this.#fault(0, [], (error as Error).message));
      return undefined;
    }
  }

  /** Numbers that would be passed on as others than are written, names included. */
  #findRounded(document: Document, faults: Fault[]): void {
    visit(document, {
      Scalar: (key, { value, source, range }, parents) => {
        if (typeof value !== 'number' || !Number.isFinite(value) || source === undefined) return;
        if (isKept(source, value)) return;
        faults.push(this.#fault(range?.[0] ?? 0, pathIn(parents, key), `${source} ${WOULD_BE_ROUNDED}`));
      },
    });
  }

  /** What YAML can say and JSON can't, and what no name may be. */
  #findForeign(value: unknown, path: Path, faults: Fault[]): void {
    if (path.length > MAX_DEPTH) {
      faults.push(this.fault(path, `is nested more than ${MAX_DEPTH} deep`));
    } else if (typeof value === 'number' && !Number.isFinite(value)) {
      faults.push(this.fault(path, `${value} is no number that JSON has`));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        const at = [...path, Array.isArray(value) ? Number(key) : key];
        if (key === '__proto__') faults.push(this.fault(at, '"__proto__" can be no name'));
        this.#findForeign(member, at, faults);
      }
    }
  }

  /** @param inText where in the text of that path, for an expression in it */
  fault(path: Path, message: string, inText?: number): Fault {
    const node = this.#nodeAt(path);
    const at =
      inText !== undefined && isScalar(node) ? this.#offsetInText(node, inText) : this.#offsetOf(path);
    return this.#fault(at, path, message);
  }

  /** Where the key of a member stands. */
  keyFault(path: Path, key: string, message: string): Fault {
    return this.#fault(this.#keyOffset(path, key) ?? this.#offsetOf(path), [...path, key], message);
  }

  placeOf(path: Path): Place {
    return this.#placeAt(this.#offsetOf(path));
  }

  #fault(at: number, path: Path, message: string): Fault {
    return { ...this.#placeAt(at), path: path.join('.'), message };
  }

  #placeAt(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }

  #nodeAt(path: Path): unknown {
    return path.reduce<unknown>((node, key) => childOf(node, key), this.#root);
  }

  /** Of the value, else of the nearest part around it that is written. */
  #offsetOf(path: Path): number {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = this.#nodeAt(path.slice(0, length));
      const range = (node as Node | undefined)?.range;
      if (range && !(isScalar(node) && node.value === null && length > 0)) return range[0];
      const key =
        length > 0 ? this.#keyOffset(path.slice(0, length - 1), String(path[length - 1])) : undefined;
      if (key !== undefined) return key;
    }
    return 0;
  }

  #keyOffset(path: Path, key: string): number | undefined {
    const map = this.#nodeAt(path);
    if (!isMap(map)) return undefined;
    const pair = map.items.find((each) => isScalar(each.key) && String(each.key.value) === key);
    return (pair?.key as Scalar | undefined)?.range?.[0];
  }

  /** A text's characters as they are written: quotes, escapes and the indentation of blocks come between. */
  #offsetInText({ value, range }: Scalar, inText: number): number {
    const text = String(value);
    const [from = 0, end = 0] = range ?? [];
    const before = text.slice(0, inText);
    const opened = before.split('${{').length - 1;
    let at = from;
    let index = 0;
    // From the last `${{` before it, which is written as it reads.
    if (opened > 0) {
      index = before.lastIndexOf('${{');
      at = nth(this.#text, '${{', opened, from) ?? from;
    }
    while (index < inText && at < end) {
      if (this.#text[at] === text[index]) index += 1;
      else if (/\s/.test(text[index] ?? '') && !/\s/.test(this.#text[at] ?? '')) {
        index += 1;
        continue;
      }
      at += 1;
    }
    // What is meant stands behind the indentation that the text does not have.
    while (at < end && this.#text[at] !== text[inText]) at += 1;
    return Math.min(at, Math.max(from, end - 1));
  }
}

/** Where a part stands, by all that it is in. */
function pathIn(parents: readonly unknown[], last: number | 'key' | 'value' | null): Path {
  return parents.flatMap((parent, at): Path => {
    if (isPair(parent)) return [isScalar(parent.key) ? String(parent.key.value) : ''];
    if (!isSeq(parent)) return [];
    return [at + 1 < parents.length ? parent.items.indexOf(parents[at + 1]) : Number(last)];
  });
}

function childOf(node: unknown, key: string | number): unknown {
  if (isMap(node)) {
    return node.items.find((each) => isScalar(each.key) && String(each.key.value) === String(key))?.value;
  }
  return isSeq(node) && typeof key === 'number' ? node.items[key] : undefined;
}

function nth(text: string, part: string, count: number, from: number): number | undefined {
  let at = from - 1;
  for (let found = 0; found < count; found += 1) {
    at = text.indexOf(part, at + 1);
    if (at === -1) return undefined;
  }
  return at;
}
