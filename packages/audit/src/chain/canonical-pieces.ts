import { canonical } from './canonical.ts';

/** Of values, and of a hundred characters of text: some 5 ms of small objects. */
const PIECE_WEIGHT = 20_000;
/** Characters of text that weigh as much as a value. */
const CHARS_OF_ONE = 100;

/** Whether a value takes so long to write that it is to be written in pieces. */
export function isLarge(value: unknown, mostWeight = PIECE_WEIGHT): boolean {
  return weightOf(value, mostWeight) > mostWeight;
}

/** What `canonical` writes of a value, in pieces, so that others can have their turn between two of them. */
export function* canonicalPieces(
  value: unknown,
  pieceWeight = PIECE_WEIGHT,
): Generator<string, void, undefined> {
  if (!isPlain(value) || !isLarge(value, pieceWeight)) yield canonical(value);
  else if (Array.isArray(value)) yield* pieces('[]', itemsOf(value, pieceWeight), pieceWeight);
  else yield* pieces('{}', membersOf(value, pieceWeight), pieceWeight);
}

/** Members that follow one another, as a list or object of their own; or the name of one that is large, and that one. */
type Part = { readonly some: object } | { readonly name: string; readonly large: unknown };

function* pieces(
  brackets: string,
  parts: Iterable<Part>,
  pieceWeight: number,
): Generator<string, void, undefined> {
  yield brackets.charAt(0);
  let isFirst = true;
  for (const part of parts) {
    const text = 'some' in part ? canonical(part.some).slice(1, -1) : part.name;
    // Of members that JSON leaves out there is no text.
    if (text !== '' || 'large' in part) {
      yield isFirst ? text : `,${text}`;
      isFirst = false;
    }
    if ('large' in part) yield* canonicalPieces(part.large, pieceWeight);
  }
  yield brackets.charAt(1);
}

function* itemsOf(items: readonly unknown[], pieceWeight: number): Generator<Part> {
  for (const { from, to, isOne } of stretches(items.length, (at) => items[at], pieceWeight)) {
    yield isOne ? { name: '', large: items[from] } : { some: items.slice(from, to) };
  }
}

function* membersOf(members: Readonly<Record<string, unknown>>, pieceWeight: number): Generator<Part> {
  const names = Object.keys(members).sort();
  const at = (index: number) => members[names[index] ?? ''];
  for (const { from, to, isOne } of stretches(names.length, at, pieceWeight)) {
    if (isOne) yield { name: `${JSON.stringify(names[from])}:`, large: at(from) };
    else yield { some: Object.fromEntries(names.slice(from, to).map((name) => [name, members[name]])) };
  }
}

/** Neighbours that are together no more than a piece, and each that is more by itself. */
function* stretches(count: number, at: (index: number) => unknown, pieceWeight: number) {
  let from = 0;
  let weight = 0;
  for (let index = 0; index < count; index += 1) {
    const own = weightOf(at(index), pieceWeight);
    const isOne = own > pieceWeight && isPlain(at(index));
    if (isOne || weight + own > pieceWeight) {
      if (index > from) yield { from, to: index, isOne: false };
      from = index;
      weight = 0;
    }
    weight += own;
    if (!isOne) continue;
    yield { from, to: index + 1, isOne };
    from = index + 1;
    weight = 0;
  }
  if (count > from) yield { from, to: count, isOne: false };
}

/** Whether it is written member by member, and not as it says itself. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/** How many values are in it, itself included; of one that weighs more than `most` anything more than that. */
function weightOf(value: unknown, most: number): number {
  if (typeof value === 'string') return 1 + value.length / CHARS_OF_ONE;
  if (typeof value !== 'object' || value === null) return 1;
  let weight = 1;
  for (const name in value) {
    weight += weightOf((value as Readonly<Record<string, unknown>>)[name], most - weight);
    if (weight > most) break;
  }
  return weight;
}
