import type { CallContext } from '@nexus/plugin-sdk';
import { OWN_SENTENCES } from '@nexus/primitives';
import { createPause, type Pause } from '../files/pause.ts';
import { sortInTurns } from '../files/sort-in-turns.ts';
import { listFiles, MAX_LISTED } from '../ripgrep/list-files.ts';
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
  const byRank: string[][] = [[], [], [], []];
  const notes: string[] = [];
  const pause = createPause();
  let total = 0;
  for (const { cwd, file } of query.targets) {
    const listed = await listFiles(state.ripgrep, { cwd, glob: query.glob, signal });
    if (!listed.isComplete) notes.push(OWN_SENTENCES.notLookedAt(cwd, MAX_LISTED));
    const folder = displayPath(host.projectRoot, cwd);
    const prefix = folder === '' ? '' : `${folder}/`;
    for (const each of listed.files) {
      await pause();
      if (file !== undefined && each !== file) continue;
      const path = prefix + each;
      const rank = rankOf(path.toLowerCase(), wanted);
      if (rank === undefined) continue;
      byRank[rank]?.push(path);
      total += 1;
    }
  }
  const page = await pageOf(byRank, query, pause);
  return {
    hits: page.map((path) => ({ file: path, text: path, context: [] })),
    total,
    ...(notes.length > 0 ? { notes, totalIsLowerBound: true } : {}),
  };
}

/** Within a rank, the shortest paths first. */
async function pageOf(
  byRank: readonly (readonly string[])[],
  { offset, limit }: PathQuery,
  pause: Pause,
): Promise<string[]> {
  const page: string[] = [];
  let passed = 0;
  for (const paths of byRank) {
    const [first, last] = [Math.max(0, offset - passed), offset + limit - passed];
    passed += paths.length;
    if (last <= 0 || first >= paths.length) continue;
    const sorted = await sortInTurns(paths, pause, byLength);
    page.push(...sorted.slice(first, last));
  }
  return page;
}

function byLength(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

function rankOf(path: string, wanted: string): number | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  return path.includes(wanted) ? 3 : undefined;
}
