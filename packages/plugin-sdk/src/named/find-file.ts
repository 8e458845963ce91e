import type { Project } from '../project.ts';
import type { ToolCaller } from '../tool-caller.ts';

/** What names are looked up in. */
export interface Ground {
  readonly project: Pick<Project, 'read'>;
  /** Finds files below the root, and symbols; without its search, only files from the root are looked up. */
  readonly tools?: ToolCaller;
  /** In the place of `tools`: the files in which something is found, undefined where nobody can tell. */
  readonly search?: (mode: 'path' | 'text', query: string) => Promise<readonly string[] | undefined>;
}

export interface Found {
  readonly isThere: boolean | 'unknown';
  /** From the root. */
  readonly file?: string;
  readonly lines?: readonly string[];
}

export type Search = NonNullable<Ground['search']>;

/** The files in which something is found; undefined where nobody can tell. */
export function searchOf({ search, tools }: Ground): Search {
  return (
    search ??
    (async (mode, query) => {
      if (!tools?.find('search_codebase')) return undefined;
      const result = await tools.call('search_codebase', { arguments: { query, mode, limit: 20 } });
      const { hits } = (result.structuredContent ?? {}) as { hits?: readonly { file?: string }[] };
      return result.isError || !hits ? undefined : hits.flatMap(({ file }) => file ?? []);
    })
  );
}

/** The files that declare a symbol, each once; undefined where nobody can tell. */
export async function filesDeclaring(
  symbol: string,
  { tools }: Pick<Ground, 'tools'>,
): Promise<readonly string[] | undefined> {
  if (!tools?.find('search_codebase')) return undefined;
  const result = await tools.call('search_codebase', {
    arguments: { query: symbol, mode: 'symbol', limit: 20 },
  });
  const { hits } = (result.structuredContent ?? {}) as {
    hits?: readonly { file?: string; symbol?: string }[];
  };
  if (result.isError || !hits) return undefined;
  const declared = hits.filter((hit) => hit.symbol?.split('.').at(-1) === symbol);
  return [...new Set(declared.flatMap(({ file }) => file ?? []))];
}

/** A file from the root, or the only one below it whose path ends so. */
export async function findFile(path: string, ground: Ground): Promise<Found> {
  const { project } = ground;
  const typed = path.replace(/^\.\//, '');
  const text = await project.read(typed);
  if (text !== undefined) return { isThere: true, file: typed, lines: linesOf(text) };
  const hits = await searchOf(ground)('path', typed);
  const below = hits?.filter((file) => `/${file}`.endsWith(`/${typed}`));
  if (below === undefined) return { isThere: typed.includes('/') ? false : 'unknown' };
  const [only] = below;
  const read = below.length === 1 && only !== undefined ? await project.read(only) : undefined;
  // Of several files of that name nobody knows which is meant.
  if (read === undefined || only === undefined) return { isThere: below.length > 0 };
  return { isThere: true, file: only, lines: linesOf(read) };
}

/** A line break at the end begins no other line. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
