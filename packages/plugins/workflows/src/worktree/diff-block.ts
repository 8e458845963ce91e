/** Whether a text is what git shows of a change. */
export const isDiff = (text: string) => text.startsWith('diff --git ');

/** A diff in Markdown, between marks that it does not hold itself. */
export function diffBlock(diff: string): string {
  let mark = '```';
  while (diff.includes(mark)) mark += '`';
  return `${mark}diff\n${diff.trimEnd()}\n${mark}`;
}
