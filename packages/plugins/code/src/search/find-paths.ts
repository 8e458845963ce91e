import type { CallContext } from '@nexus/plugin-sdk';
import { listFiles } from '../ripgrep/list-files.ts';
import { displayPath } from '../roots/display-path.ts';
import type { Target } from '../roots/targets.ts';
import type { CodeState } from '../state.ts';

export interface PathQuery {
  readonly query: string;
  readonly targets: readonly Target[];
  readonly glob?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** One page of the files whose path holds the query, those named so first. */
export async function findPaths(query: PathQuery, { state, host, signal }: CallContext<CodeState>) {
  const wanted = query.query.toLowerCase();
  const matches: { path: string; rank: number }[] = [];
  for (const { cwd, file } of query.targets) {
    const listed = await listFiles(state.ripgrep, { cwd, glob: query.glob, signal });
    const folder = displayPath(host.projectRoot, cwd);
    const prefix = folder === '' ? '' : `${folder}/`;
    for (const each of file === undefined ? listed : listed.filter((path) => path === file)) {
      const path = prefix + each;
      const rank = rankOf(path.toLowerCase(), wanted);
      if (rank !== undefined) matches.push({ path, rank });
    }
  }
  matches.sort((a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
  const page = matches.slice(query.offset, query.offset + query.limit);
  return {
    hits: page.map(({ path }) => ({ file: path, text: path, context: [] })),
    total: matches.length,
  };
}

function rankOf(path: string, wanted: string): number | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  return path.includes(wanted) ? 3 : undefined;
}
