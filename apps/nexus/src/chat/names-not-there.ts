import type { ServerTool } from '@nexus/chat';
import { lookUp, type Project } from '@nexus/plugin-sdk';

const SEARCH = 'search_codebase';
const MAX_HITS = 20;

/**
 * The files, lines and symbols that an answer names and that the project has not. Symbols are looked up where the
 * answer names a file that is there, and so is about the project: else it is as often about what is in none.
 */
export async function namesNotThere(
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
  const lookedUp = (modes: readonly ('path' | 'text')[]) =>
    lookUp(answer, {
      project,
      async search(mode, query) {
        if (!modes.includes(mode) || search === undefined) return undefined;
        // What the language itself has is in no project.
        if (mode === 'text' && query in globalThis) return undefined;
        const result = await search.call({ query, mode, limit: MAX_HITS }, { signal });
        const { hits } = (result.structuredContent ?? {}) as { hits?: readonly { file?: string }[] };
        return result.isError || !hits ? undefined : hits.flatMap(({ file }) => file ?? []);
      },
    });
  const { missing, files } = await lookedUp(['path']);
  return files.length === 0 ? missing : (await lookedUp(['path', 'text'])).missing;
}
