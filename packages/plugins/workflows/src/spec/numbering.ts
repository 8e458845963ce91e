import type { Lines } from '@nexus/plugin-sdk/evidence';
import { endOfBlock, HEADING } from './read-structure.ts';

/** A requirement that a specification numbers itself, and the lines that hold its words. */
export interface Numbered {
  readonly id: string;
  readonly lines: Lines;
}

const ID = String.raw`[A-Z][A-Za-z]{0,9}[-_.]?\d{1,4}(?:\.\d{1,4}){0,4}`;
/** At the beginning of a line, behind the marks of a heading, a list, a quote or a table. */
const AT_START = new RegExp(
  String.raw`^\s{0,40}(?:#{1,6} +|[-*+>|] +|\d{1,4}[.)] +)?(?:\[[ xX]\] +)?([[(*_\`]{0,4})(${ID})(?![\w-])([\])*_\`]{0,4}\s?[:.)\]|–—-]?)`,
);
/** Within a line, where another sentence begins. */
const FURTHER = new RegExp(String.raw`[.;!?|][*_]{0,3} +[[(*_\`]{0,4}(${ID})[\])*_\`]{0,4}[:.)\]|–—]`, 'g');

/**
 * The requirements that a specification numbers itself, such as `R-1:`, `**FR-2**` and `## REQ.3 Sums`; none where what
 * looks so is only the first word of a sentence, as `UTF-8` is.
 */
export function numberedIn(spec: string): Numbered[] {
  const lines = spec.split(/\r?\n/);
  const starts = lines.map((line) => AT_START.exec(line));
  const counts = new Map<string, number>();
  for (const start of starts) {
    const prefix = prefixOf(start?.[2] ?? '');
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  const found: Numbered[] = [];
  // From the end, so that each knows where the next heading or number stands.
  let next = lines.length;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] ?? '';
    const [whole, before, id = '', after = ''] = starts[at] ?? [];
    // Marked as a number, or one of several that are counted so.
    const isNumber =
      whole !== undefined && (before !== '' || after.trim() !== '' || (counts.get(prefixOf(id)) ?? 0) > 1);
    const isHeading = HEADING.test(line);
    if (isNumber) {
      const to = isHeading ? next : endOfBlock(lines, at);
      const further = [...line.matchAll(FURTHER)].map(([, each = '']) => each);
      found.push(...[id, ...further].map((each) => ({ id: each, lines: { from: at + 1, to } })));
    }
    if (isNumber || isHeading) next = at;
  }
  return found.reverse();
}

/** What stands before the number. */
export function prefixOf(id: string): string {
  return (/^[A-Za-z]*/.exec(id)?.[0] ?? '').toLowerCase();
}
