/** Images, linked or not, and the marks of HTML that lay out a page. */
const PICTURE =
  /\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)|!\[[^\]]*\]\([^)]*\)|<\/?(?:a|br|center|div|h[1-6]|img|p|picture|source)(?:\s[^>]*)?\/?>/gi;
/** A line of a table of contents: an item that is a link into the same page, and nothing else. */
const ENTRY = /^\s*(?:[-*+]|\d{1,3}\.)\s+\[.*\]\(#[^)]*\)\s*$/;
const FENCE = /^\s*(?:```|~~~)/;

/** A README without what says nothing of the project: badges, pictures, its table of contents. Code stays as it is. */
export function withoutTrimmings(readme: string): string {
  let isCode = false;
  const kept: string[] = [];
  for (const line of readme.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    const text = isCode ? line : line.replace(PICTURE, '');
    const isTrimming = !isCode && (ENTRY.test(line) || (text !== line && text.trim() === ''));
    const isSecondBlank = !isCode && text.trim() === '' && (kept.at(-1) ?? '').trim() === '';
    if (!isTrimming && !isSecondBlank) kept.push(text.trimEnd());
  }
  return kept.join('\n');
}
