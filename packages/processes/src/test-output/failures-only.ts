import { RUNNERS, type Runner } from './runners.ts';
import { isTap, type Kept, withoutPassedTap } from './tap.ts';

/** What runs tests of several packages side by side puts before each line: `name:test: `, `folder test: `. */
const PREFIX = /^@?[\w./-]+[: ](?:(?!test)[\w:-])*test[\w:-]*(?<=:) /;

/**
 * What a program printed, without the lines by which a test runner tells of tests that passed, and with their number;
 * as it is where no runner is recognised. What is said of failures is never looked into.
 */
export function failuresOnly(output: string): string {
  let lines: readonly string[] = output.split('\n');
  let leftOut = 0;
  const take = (kept: Kept) => {
    lines = kept.lines;
    leftOut += kept.leftOut;
  };
  const bare = lines.map((line) => split(line).text).join('\n');
  for (const runner of RUNNERS) if (runner.mark.test(bare)) take(withoutPassed(lines, runner));
  if (isTap(bare)) take(withoutPassedTap(lines));
  if (leftOut === 0) return output;
  const what = leftOut === 1 ? '1 line that tells' : `${leftOut} lines that tell`;
  return [`[… ${what} of passed tests left out …]`, ...lines].join('\n');
}

interface Line {
  readonly whole: string;
  readonly indent: number;
  /** A heading below which there was nothing but passed tests, as far as was read. */
  isEmptied: boolean;
}

function withoutPassed(lines: readonly string[], runner: Runner): Kept {
  const { passed, heading, details, detailsEnd } = runner;
  const kept: Line[] = [];
  /** By what runs side by side. */
  const inDetails = new Map<string, boolean>();
  let leftOut = 0;
  const last = () => kept.findLast(({ whole }) => whole.trim() !== '');
  /** Takes away the headings that end where a line of this indentation stands. */
  const close = (indent: number) => {
    for (let end = last(); end?.isEmptied && end.indent >= indent; end = last()) {
      kept.length = kept.lastIndexOf(end);
      leftOut += 1;
      const above = last();
      if (above && above.indent < end.indent && heading?.test(above.whole)) above.isEmptied = true;
    }
  };
  for (const whole of lines) {
    const { prefix, text } = split(whole);
    const indent = text.length - text.trimStart().length;
    if (inDetails.get(prefix) && detailsEnd?.test(text)) inDetails.set(prefix, false);
    if (!inDetails.get(prefix) && passed.test(text)) {
      close(indent);
      leftOut += 1;
      const above = last();
      if (above && above.indent < indent && heading?.test(above.whole)) above.isEmptied = true;
      // Its end stands where its beginning stood.
      if (above && above.indent === indent && above.whole.includes('▶ '))
        kept.length = kept.lastIndexOf(above);
      continue;
    }
    if (text.trim() === '' && kept.at(-1)?.whole.trim() === '' && !inDetails.get(prefix)) continue;
    // What tests print stands at the margin, between them, and ends none.
    if (text.trim() !== '' && (indent > 0 || detailsEnd?.test(text))) close(indent);
    if (details?.test(text)) inDetails.set(prefix, true);
    kept.push({ whole, indent, isEmptied: false });
  }
  return { lines: kept.map(({ whole }) => whole), leftOut };
}

/** Colours are for terminals. */
const COLOURS = /\u001b\[[\d;]*m/g;

function split(line: string): { readonly prefix: string; readonly text: string } {
  const plain = line.replace(COLOURS, '').replace(/\r$/, '');
  const prefix = PREFIX.exec(plain)?.[0] ?? '';
  return { prefix, text: plain.slice(prefix.length) };
}
