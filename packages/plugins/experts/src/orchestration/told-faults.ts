/** How an expert whose answer is the answer tells of faults, so that each can be shown by a test. */
export const FAULTS_FORM =
  'Where a fault of the code that you found could be shown by a failing test, end with a section headed "## Faults": an item each, on one line: what is wrong, where (path:line), when it shows, what should be. Leave it out where there is none.';

const HEADING = /^#{1,6}\s+[*_]{0,2}Faults[*_]{0,2}:?\s*$/i;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,3}[.)]) {1,4}(\S.*)$/;

/** An answer, and the faults that it ends with; where what it ends with is anything else, all of it is the answer. */
export function partFaults(output: string): {
  readonly answer: string;
  readonly claims: readonly string[];
} {
  const lines = output.trimEnd().split('\n');
  const start = lines.findLastIndex((line) => HEADING.test(line));
  const items = start === -1 ? [] : lines.slice(start + 1).filter((line) => line.trim() !== '');
  const claims = items.flatMap((line) => ITEM.exec(line)?.[1]?.trim() ?? []);
  if (claims.length === 0 || claims.length < items.length) return { answer: output, claims: [] };
  return { answer: lines.slice(0, start).join('\n').trimEnd(), claims };
}
