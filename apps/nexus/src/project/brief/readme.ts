/** Images, linked or not, and the marks of HTML that lay out a page. */
const PICTURE =
  /\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)|!\[[^\]]*\]\([^)]*\)|<\/?(?:a|br|center|div|h[1-6]|img|p|picture|source)(?:\s[^>]*)?\/?>/gi;
/** A line of a table of contents: an item that is a link into the same page, and nothing else. */
const ENTRY = /^\s*(?:[-*+]|\d{1,3}\.)\s+\[.*\]\(#[^)]*\)\s*$/;
const FENCE = /^\s*(?:```|~~~)/;

/** Whoever has read less than this was told a title. */
const LEAST_CHARS = 100;
const HEADING = /^#{1,6}\s/;

/**
 * What a README says before it comes to its parts, such as how the project is installed and used: that is told by
 * the code itself, to whoever needs it. Of one that says little before them, as many parts as it takes.
 */
export function introductionOf(readme: string): string {
  let isCode = false;
  let chars = 0;
  const kept: string[] = [];
  for (const line of withoutTrimmings(readme).split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    const isHeading = !isCode && HEADING.test(line);
    if (isHeading && chars >= LEAST_CHARS) break;
    if (!isHeading) chars += line.trim().length;
    kept.push(line);
  }
  return kept.join('\n').trimEnd();
}

/** A README without what says nothing of the project: badges, pictures, its table of contents. Code stays as it is. */
function withoutTrimmings(readme: string): string {
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
