import { counted } from '../counted.ts';
import { cutEnd } from '../cut-end.ts';
import { fewerText } from '../cutting/fewer.ts';
import { OWN_SENTENCES } from '../cutting/own-sentences.ts';
import { attributionTo, quotesOf } from '../cutting/own-words.ts';
import { shrinkJson } from '../cutting/shrink-json.ts';
import { writtenJson, writtenText } from '../written-json.ts';
import { focusOf, isExact, pathTo } from './focus.ts';
import type { Part, PartWanted } from './part-of.ts';

interface Reading {
  readonly wanted: PartWanted;
  take(wanted: PartWanted): Part | Promise<Part>;
  /** Characters of the part and of what is said of it, together. */
  readonly room: number;
  /** Where all of it is; asked only for what no room holds. */
  whereWhole(): Promise<string>;
  /** The server in whose words it is, where these sound like Nexus. */
  readonly whose?: string | undefined;
}

/** What of a part has room: its value, with what is said of it. */
export interface FittingPart {
  readonly value: unknown;
  /** The value as it is read. */
  readonly text: string;
  /** Of what is left out, and whose the names are that it quotes. */
  readonly notes: readonly string[];
  /** All that stands before the text: the notes, and then whose the text is. */
  readonly before: readonly string[];
}

type Taken = Exclude<Part, { readonly fault: string }>;

/** What a page says of itself. */
const NOTE_CHARS = 200;
/** A beginning that would be shorter shows nothing of what it is of. */
const LEAST_BEGINNING_CHARS = 40;
/** Of what no answer holds; its parts are read alone. */
const BEGINNING_CHARS = 4_000;

/**
 * A part with as many items, lines or members of it as fit, each whole. One that no answer holds is there by its
 * beginning, with its size and how to read it alone, and the offset behind it goes on.
 * @returns also why there is no such part
 */
export async function partThatFits({
  whose,
  ...reading
}: Reading): Promise<FittingPart | { readonly fault: string }> {
  if (whose === undefined) {
    const part = await withoutAuthor(reading);
    return 'fault' in part ? part : { ...part, before: part.notes };
  }
  const [line, quotes] = [attributionTo(whose), quotesOf(whose)];
  const part = await withoutAuthor({ ...reading, room: reading.room - line.length - quotes.length });
  if ('fault' in part) return { fault: `${quotes}\n${part.fault}` };
  const notes = part.notes.some((note) => note.includes('"')) ? [quotes, ...part.notes] : part.notes;
  return { ...part, notes, before: [...notes, line] };
}

type Shown = Omit<FittingPart, 'before'>;

async function withoutAuthor({
  wanted,
  take,
  room,
  whereWhole,
}: Omit<Reading, 'whose'>): Promise<Shown | { readonly fault: string }> {
  const first = await take(wanted);
  if ('fault' in first) {
    const { paths } = wanted;
    const all = await take({ paths });
    return { fault: 'fault' in all ? first.fault : `${first.fault} ${shapeOf(all, { paths, room })}` };
  }
  if (charsOf(saying(first)) <= room) return saying(first);
  let least = first;
  for (let limit = wanted.limit; ; ) {
    const part = await take({ ...wanted, limit, maxChars: room - NOTE_CHARS });
    if ('fault' in part) break;
    if (charsOf(saying(part)) <= room) return saying(part);
    least = part;
    const count = part.page?.count ?? 1;
    if (count <= 1) break;
    limit = Math.floor(count / 2);
  }
  return begun(least, { paths: wanted.paths, room, uri: await whereWhole() });
}

function saying({ value, notes }: Taken): Shown {
  return { value, notes, text: writtenText(value) };
}

function charsOf({ text, notes }: Pick<Shown, 'text' | 'notes'>): number {
  return notes.reduce((sum, note) => sum + note.length, text.length);
}

function begun(
  part: Taken,
  { paths, room, uri }: { readonly paths: readonly string[]; readonly room: number; readonly uri: string },
): Shown {
  const { length } = writtenText(part.value);
  const shape = OWN_SENTENCES.beginning(length) + shapeOf(part, { paths, room });
  const left = room - charsOf({ text: shape, notes: part.notes }) - NOTE_CHARS;
  if (left < LEAST_BEGINNING_CHARS) {
    const why = OWN_SENTENCES.noRoom(length, uri);
    return { value: '', notes: [...part.notes, why], text: '' };
  }
  const shown = shrinkJson(part.value, Math.max(0, Math.min(left, BEGINNING_CHARS)), uri);
  const fewer = fewerText(part.value, shown, { room: NOTE_CHARS / 2 });
  const notes = [
    ...part.notes,
    fewer === undefined ? shape : `${shape} ${OWN_SENTENCES.beginningHas(fewer)}`,
  ];
  return { value: shown, notes, text: writtenText(shown) };
}

/** What there is to pick from, each by its whole path, with its size. */
function shapeOf(
  { value, page }: Taken,
  { paths, room }: { readonly paths: readonly string[]; readonly room: number },
): string {
  const { path, value: found } = page?.first ?? focusOf(value, paths);
  const isPlain = typeof found !== 'object' || found === null || Array.isArray(found);
  const entries = isPlain
    ? [[path, found] as const]
    : Object.entries(found).map(
        ([name, each], place) => [pathTo(path, name, isExact(paths) ? place : undefined), each] as const,
      );
  const shown: string[] = [];
  let left = room / 3;
  for (const [name, each] of entries) {
    const items = Array.isArray(each) ? `${counted(each.length, 'item')}, ` : '';
    const said = `${JSON.stringify(cutEnd(name, MAX_PATH_CHARS))} (${items}${writtenJson(each).length} characters)`;
    left -= said.length + 2;
    if (shown.length > 0 && (left < 0 || shown.length === MAX_MEMBERS)) break;
    shown.push(said);
  }
  const rest = entries.length > shown.length ? ` and ${entries.length - shown.length} more` : '';
  const how = path.includes('[]') ? ', an item by its number in the place of []' : '';
  return OWN_SENTENCES.partsThere(shown.join(', ') + rest, how);
}

const MAX_MEMBERS = 30;
/** As `pick` takes one. */
const MAX_PATH_CHARS = 500;
