import { join } from 'node:path';
import type { CallContext } from '@nexus/plugin-sdk';
import { type Excerpt, excerpt, readLines } from '../files/excerpt.ts';
import { readText } from '../files/read-text.ts';
import { searchLines } from '../ripgrep/search-lines.ts';
import { displayPath } from '../roots/display-path.ts';
import type { Target } from '../roots/targets.ts';
import type { CodeState } from '../state.ts';

export interface LineQuery {
  readonly pattern: string;
  readonly syntax: 'text' | 'regex';
  readonly targets: readonly Target[];
  readonly glob?: string | undefined;
  readonly context: number;
  readonly limit: number;
  readonly offset: number;
}

interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** One page of the lines that match, with the lines around them. */
export async function findLines(query: LineQuery, { state, host, signal }: CallContext<CodeState>) {
  const { pattern, syntax, glob, limit, offset } = query;
  const places: Place[] = [];
  const notes: string[] = [];
  let isComplete = true;
  for (const { cwd, file } of query.targets) {
    if (file !== undefined) await assertText(join(cwd, file), state, host.projectRoot);
    const found = await searchLines(state.ripgrep, { pattern, syntax, cwd, file, glob, signal });
    for (const match of found.matches) places.push({ ...match, path: join(cwd, match.file) });
    if (found.unreadable.length > 0) notes.push(unreadableNote(found.unreadable));
    isComplete &&= found.isComplete;
  }
  if (!isComplete) notes.push('The search was ended early: too many lines match. Narrow the query.');
  return {
    hits: await showPage(places.slice(offset, offset + limit), query.context, host.projectRoot),
    total: places.length,
    ...(isComplete ? {} : { totalIsLowerBound: true }),
    ...(notes.length > 0 ? { notes } : {}),
  };
}

/** A file that was named must not be passed over in silence as one found in a folder is. */
async function assertText(path: string, state: CodeState, projectRoot: string): Promise<void> {
  await readText(path, { shown: displayPath(projectRoot, path), maxBytes: state.options.maxFileBytes });
}

async function showPage(places: readonly Place[], contextLines: number, projectRoot: string) {
  const files = new Map<string, Promise<string[]>>();
  const linesOf = (path: string) => {
    const lines = files.get(path) ?? readLines(path);
    files.set(path, lines);
    return lines;
  };
  return Promise.all(
    places.map(
      async (place): Promise<{ file: string; line: number } & Excerpt> => ({
        file: displayPath(projectRoot, place.path),
        line: place.line,
        ...excerpt(await linesOf(place.path), place, contextLines),
      }),
    ),
  );
}

function unreadableNote(unreadable: readonly string[]): string {
  const shown = unreadable.slice(0, 3).join('; ');
  return `${unreadable.length} files or folders could not be read: ${shown}${unreadable.length > 3 ? '; …' : ''}`;
}
