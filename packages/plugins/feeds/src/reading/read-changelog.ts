import { ToolError } from '@nexus/plugin-sdk';
import type { Entry, Publication } from './entry.ts';

const VERSION = /\bv?(\d{1,6}\.\d{1,6}(?:\.\d{1,6})?(?:-[\w.]{1,40})?)\b/;
/** Where a block of code begins or ends. */
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** What is left out of a page begins so, and goes on to its end over any lines. */
const COMMENT = /^ {0,3}<!--/;
const DATE = /\b\d{4}-\d{2}-\d{2}\b/;

/** A changelog in Markdown: each heading that has a version is one, with the date beside it. */
export function readChangelog(text: string): Publication {
  const lines = text.split(/\r?\n/);
  const entries: Entry[] = [];
  let title = '';
  let fence: string | undefined;
  let isComment = false;
  lines.forEach((line, at) => {
    if (fence === undefined && COMMENT.test(line)) isComment = true;
    if (isComment) {
      isComment = !line.includes('-->');
      return;
    }
    const [before = '', mark] = FENCE.exec(line) ?? [];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.slice(before.length).trim() === '') fence = undefined;
    // Of a block of code no line is a heading, its ends included.
    if (fence !== undefined || mark !== undefined) return;
    const heading = headingOf(line, lines[at + 1] ?? '');
    if (heading === undefined) return;
    // A date has no version in it.
    const date = DATE.exec(heading)?.[0];
    const version = VERSION.exec(heading.replace(DATE, ''))?.[1];
    if (version !== undefined) entries.push({ id: version, title: heading, url: undefined, date });
    else if (title === '') title = heading;
  });
  if (entries.length > 0) return { format: 'changelog', title, isWhole: true, entries };
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', 'It is no changelog: none of its headings has a version.');
}

/** Markdown’s two kinds of headings, down to the third level. */
function headingOf(line: string, next: string): string | undefined {
  if (/^#{1,3} /.test(line)) return line.replace(/^#+ /, '').slice(0, 500).trim();
  return /^(?:=+|-+)$/.test(next.trim()) && line.trim() !== '' ? line.slice(0, 500).trim() : undefined;
}
