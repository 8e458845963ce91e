import { ToolError } from '@nexus/plugin-sdk';
import type { Lines } from '@nexus/plugin-sdk/evidence';

/** Something that a specification asks for, as its form alone shows. */
export interface SpecItem {
  readonly id: string;
  readonly text: string;
  readonly lines: Lines;
  /** The headings above it, outermost first. */
  readonly section: readonly string[];
  /** Items that its own words name as needed. */
  readonly dependsOn: readonly string[];
}

/** Words of RFC 2119 by which a sentence demands something; without capitals where they can mean nothing else. */
const DEMANDS = /\b(MUST|SHALL|SHOULD|REQUIRED|RECOMMENDED|must|shall)\b/;
const FENCE = /^\s*(```|~~~)/;
export const HEADING = /^(#{1,6})\s+(\S.*)$/;
const ITEM = /^\s*(?:[-*+]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$/;
/** An id that its author gave it, such as `R1:`, `[REQ-7]` or `**FR-2**`. */
const OWN_ID = /^[[(*_`]*([A-Z]{1,6}-?\d{1,4})[\])*_`]*\s*[:.)\]–—-]?\s+/;
const NEEDS =
  /\b(?:depends? on|requires?|needs?|after|builds? on)\s+((?:(?:,|and|or|[A-Z]{1,6}-?\d{1,4})\s*)+)/g;

/**
 * A specification read by its form, without a model: list items, and sentences that demand something. What they
 * mean, only a reader knows.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS for one that asks for more than anybody could see to
 */
export function readStructure(spec: string): SpecItem[] {
  const found = firstOf(foundIn(spec.split(/\r?\n/)));
  const named = found.map(({ text, ...rest }, index) => {
    const own = OWN_ID.exec(text);
    return { ...rest, text: own ? text.slice(own[0].length) : text, id: own?.[1] ?? `S${index + 1}` };
  });
  const ids = new Set<string>();
  const unique = named.map((item, index) => {
    let { id } = item;
    for (let number = index + 1; ids.has(id); number += named.length) id = `S${number}`;
    ids.add(id);
    return { ...item, id };
  });
  return unique.map((item) => ({
    ...item,
    dependsOn: namedNeeds(item.text).filter((id) => ids.has(id) && id !== item.id),
  }));
}

type Found = Pick<SpecItem, 'text' | 'lines' | 'section'>;

const MAX_ITEMS = 2_000;

function firstOf(items: Iterable<Found>): Found[] {
  const found: Found[] = [];
  for (const item of items) {
    found.push(item);
    if (found.length <= MAX_ITEMS) continue;
    const text = `The specification asks for something at more than ${MAX_ITEMS} places (list items, and sentences with MUST, SHALL or SHOULD). Give it in parts.`;
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
  }
  return found;
}

function* foundIn(lines: readonly string[]): Generator<Found> {
  let section: string[] = [];
  let isCode = false;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode) continue;
    const heading = HEADING.exec(line);
    if (heading) {
      section = [...section.slice(0, (heading[1]?.length ?? 1) - 1), withoutClosing(heading[2] ?? '')];
      continue;
    }
    const isItem = ITEM.test(line);
    if (line.trim() === '' || FENCE.test(line)) continue;
    const end = endOfBlock(lines, index);
    const text = lines
      .slice(index, end)
      .map((each) => each.trim())
      .join(' ');
    const at = { lines: { from: index + 1, to: end }, section };
    if (isItem) yield { text: ITEM.exec(text)?.[1] ?? text, ...at };
    else for (const sentence of demands(text)) yield { text: sentence, ...at };
    index = end - 1;
  }
}

/** Where a paragraph or list item ends: at an empty line, a heading, a fence or the next item. */
export function endOfBlock(lines: readonly string[], start: number): number {
  let end = start + 1;
  while (end < lines.length) {
    const line = lines[end] ?? '';
    if (line.trim() === '' || HEADING.test(line) || FENCE.test(line) || ITEM.test(line)) break;
    end += 1;
  }
  return end;
}

/** A heading may be closed by as many `#` as it likes (CommonMark, ATX headings). */
function withoutClosing(heading: string): string {
  const text = heading.trimEnd();
  return text.replace(/(?<!#)#+$/, '').trimEnd() || text;
}

function demands(paragraph: string): string[] {
  return paragraph
    .split(/(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => DEMANDS.test(sentence));
}

function namedNeeds(text: string): string[] {
  const named = [...text.matchAll(NEEDS)].flatMap(([, ids = '']) => ids.match(/[A-Z]{1,6}-?\d{1,4}/g) ?? []);
  return [...new Set(named)];
}
