import { join } from 'node:path';
import type { CallContext } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { hitLineChars } from '../answers/hits-text.ts';
import { readExcerpts } from '../files/excerpt.ts';
import { type LineMatch, searchLines } from '../ripgrep/search-lines.ts';
import { displayPath } from '../roots/display-path.ts';
import type { Target } from '../roots/targets.ts';
import type { CodeState } from '../state.ts';
import { assertNamedText } from './assert-named-text.ts';
import { sayUnsearched } from './say-unsearched.ts';

export interface LineQuery {
  readonly pattern: string;
  readonly syntax: 'text' | 'regex';
  readonly targets: readonly Target[];
  readonly glob?: string | undefined;
  readonly context: number;
  readonly limit: number;
  readonly offset: number;
}

/** One page of the lines that match, with the lines around them. */
export async function findLines(query: LineQuery, context: CallContext<CodeState>) {
  const { state, host, signal } = context;
  const { pattern, syntax, glob, offset } = query;
  const page: (LineMatch & { path: string })[] = [];
  const notes: string[] = [];
  let total = 0;
  let isComplete = true;
  for (const target of query.targets) {
    const readAs = await assertNamedText(target, context);
    const { cwd, file } = target;
    const found = await searchLines(state.ripgrep, { pattern, syntax, cwd, file, glob, readAs, signal });
    for (const match of found.slice(Math.max(0, offset - total), Math.max(0, offset + query.limit - total))) {
      page.push({ ...match, path: join(cwd, match.file) });
    }
    total += found.total;
    if (found.unreadable.length > 0) notes.push(unreadableNote(found.unreadable));
    isComplete &&= found.isComplete;
  }
  if (isComplete && total <= offset + query.limit) {
    for (const target of query.targets) notes.push(...(await sayUnsearched(target, query, context)));
  }
  if (!isComplete) notes.push('The search was ended early: too many lines match. Narrow the query.');
  const excerpts = await readExcerpts(page, {
    contextLines: query.context,
    maxBytes: state.maxFileBytes,
    lineChars: hitLineChars(host.results),
  });
  return {
    hits: page.map(({ path, line }, at) => ({
      file: displayPath(host.projectRoot, path),
      line,
      ...(excerpts[at] ?? { text: '', context: [] }),
    })),
    total,
    ...(isComplete ? {} : { totalIsLowerBound: true }),
    ...(notes.length > 0 ? { notes } : {}),
  };
}

function unreadableNote(unreadable: readonly string[]): string {
  const shown = unreadable.slice(0, 3).join('; ');
  return `${counted(unreadable.length, 'file or folder', 'files or folders')} could not be read: ${shown}${unreadable.length > 3 ? '; …' : ''}`;
}
