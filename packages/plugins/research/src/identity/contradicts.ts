import type { WorkRecord } from './record.ts';

type Told = Pick<WorkRecord, 'kind' | 'title' | 'authors'>;

/** What is about another work, and is none. */
const ABOUT_ANOTHER =
  /^(?:(?:author |publisher )?(?:erratum|errata|corrigendum|corrigenda|addendum|correction)\b|retraction(?: notice| note)?\s*(?::|to\b|of\b)|expression of concern\b|(?:a )?(?:comment|commentary|reply|response|rejoinder) (?:on|to)\b|(?:supplement|supplementary \w+) (?:to|for)\b|review of\b)/;
/** Put before a title when its work was withdrawn. */
const WITHDRAWN = /^(?:\[?(?:retracted|withdrawn)(?: article| paper| chapter)?\]?\s*:?\s*)+/;
/** A part of several that have one title. */
const PART = /\b(?:part|volume|vol|no|chapter)\.?\s+([ivxlc]+|\d+|[a-z])\b|\b([ivx]+)\.?$|\b(\d{1,2})$/;
/** Words in common of all words: below it, two titles of people who have nobody in common are two works’. */
const LIKE = 0.75;

/**
 * Whether what two records say of themselves speaks against their being one work, though an id says so: ids are
 * mistyped, shared by a volume, or put on a notice about the work. Alike titles make nothing one; they only do not
 * speak against it.
 */
export function contradicts(a: Told, b: Told): boolean {
  if ((a.kind === 'repository') !== (b.kind === 'repository')) return true;
  const [one, other] = [plain(a.title), plain(b.title)];
  if (one === '' || other === '') return false;
  if (ABOUT_ANOTHER.test(one) !== ABOUT_ANOTHER.test(other)) return true;
  const [partOfOne, partOfOther] = [partOf(one), partOf(other)];
  if (partOfOne !== undefined && partOfOther !== undefined && partOfOne !== partOfOther) return true;
  if (shareOfWords(one, other) >= LIKE) return false;
  return a.authors.length > 0 && b.authors.length > 0 && !shareAuthor(a.authors, b.authors);
}

function plain(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[“”"'‘’]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(WITHDRAWN, '');
}

function partOf(title: string): string | undefined {
  const [, named, roman, number] = PART.exec(title) ?? [];
  const part = named ?? roman ?? number;
  return part === undefined ? undefined : String(romanValue(part) ?? part);
}

function romanValue(text: string): number | undefined {
  if (!/^[ivxlc]+$/.test(text)) return undefined;
  const values: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 };
  const digits = [...text].map((each) => values[each] ?? 0);
  return digits.reduce((sum, each, at) => sum + (each < (digits[at + 1] ?? 0) ? -each : each), 0);
}

/** Words that both have, of those that either has. */
function shareOfWords(one: string, other: string): number {
  const [words, others] = [one, other].map((each) => new Set(each.match(/[\p{L}\p{N}]+/gu) ?? []));
  if (!words || !others || words.size === 0 || others.size === 0) return 0;
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared / (words.size + others.size - shared);
}

function shareAuthor(one: readonly string[], other: readonly string[]): boolean {
  const names = new Set(one.map(familyName));
  return other.some((name) => names.has(familyName(name)));
}

/** The last word, or what stands before a comma: sources give names in either order. */
function familyName(name: string): string {
  const [before, after] = name.split(',', 2);
  const family = after === undefined ? name.trim().split(/\s+/).at(-1) : before;
  return plain(family ?? '').replace(/[^\p{L}]/gu, '');
}
