import type { ServerTool } from '@nexus/chat';
import { lookUp, type Project } from '@nexus/plugin-sdk';
import { visibleLine } from '@nexus/untrusted/shown';

const SEARCH = 'search_codebase';
const MAX_HITS = 20;

/**
 * The files and lines that an answer names and that the project has not. Symbols are left alone: an answer in a chat is
 * as often about what is in no project.
 */
export async function filesNotThere(
  answer: string,
  {
    project,
    tools,
    signal,
  }: {
    readonly project: Pick<Project, 'read'>;
    readonly tools: readonly ServerTool[];
    readonly signal: AbortSignal;
  },
): Promise<readonly string[]> {
  const search = tools.find(({ server, name }) => server === 'nexus' && name === SEARCH);
  const { missing } = await lookUp(answer, {
    project,
    async search(mode, query) {
      if (mode !== 'path' || search === undefined) return undefined;
      const result = await search.call({ query, mode, limit: MAX_HITS }, { signal });
      const { hits } = (result.structuredContent ?? {}) as { hits?: readonly { file?: string }[] };
      return result.isError || !hits ? undefined : hits.flatMap(({ file }) => file ?? []);
    },
  });
  return missing;
}

/** Below an answer; empty where all is there. */
export function notThereLine(missing: readonly string[]): string {
  return missing.length === 0 ? '' : `[not found in the project: ${missing.map(visibleLine).join(', ')}]\n`;
}
