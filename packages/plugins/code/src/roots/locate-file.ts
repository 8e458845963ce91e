import { basename, join } from 'node:path';
import { type CallContext, isToolError } from '@nexus/plugin-sdk';
import { createPause } from '../files/pause.ts';
import { listFiles } from '../ripgrep/list-files.ts';
import type { CodeState } from '../state.ts';
import { displayPath } from './display-path.ts';
import { type Located, locate, notThere } from './locate.ts';
import { type Scope, scopeOf } from './scope.ts';
import { outermost } from './targets.ts';

const MOST_NAMED = 3;

/**
 * As `locate`, of a file. Where there is none, those of its name are named first, wherever they are: a folder is
 * mistaken more often than a name.
 */
export async function locateFile(typed: string, context: CallContext<CodeState>): Promise<Located> {
  const scope = await scopeOf(context);
  try {
    return await locate(typed, scope);
  } catch (error) {
    if (!isToolError(error) || error.code !== 'NEXUS_NOT_FOUND') throw error;
    const named = await filesNamed(basename(typed), scope, context);
    if (named.length === 0) throw error;
    const { nearest } = Object(error.detail) as { readonly nearest?: readonly string[] };
    throw notThere(typed, [...new Set([...named, ...(nearest ?? [])])].slice(0, MOST_NAMED));
  }
}

/** The files of that name, in whatever case, the shortest paths first. */
async function filesNamed(
  name: string,
  { roots }: Scope,
  { state, host, signal }: CallContext<CodeState>,
): Promise<readonly string[]> {
  const wanted = name.toLowerCase();
  const pause = createPause();
  const found: string[] = [];
  for (const root of outermost(roots)) {
    const { files } = await listFiles(state.ripgrep, { cwd: root, signal });
    for (const file of files) {
      await pause();
      if (file.slice(file.lastIndexOf('/') + 1).toLowerCase() !== wanted) continue;
      found.push(displayPath(host.projectRoot, join(root, file)));
    }
  }
  return found.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}
