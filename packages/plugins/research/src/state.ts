import { type CallContext, type Host, ToolError } from '@nexus/plugin-sdk';
import type { Markup } from './markup/markup.ts';
import type { Registry } from './registry/registry.ts';
import type { Asking } from './sources/asking.ts';

export interface ResearchState {
  /** @throws {ToolError} NEXUS_UNAVAILABLE where the server works on no project */
  registry(context: Pick<CallContext, 'roots'>): Promise<Registry>;
  /** What sources are asked with on behalf of a call. */
  asking(context: Pick<CallContext, 'signal' | 'progress'>): Promise<Asking & { readonly markup: Markup }>;
}

/** Parsers are loaded with the first call that needs them. */
export function createState(folder: string, host: Host): ResearchState {
  let registry: Promise<Registry> | undefined;
  let markup: Promise<Markup> | undefined;
  return {
    async registry({ roots }) {
      const found = await roots();
      if (!found.some(({ path }) => path === host.projectRoot)) {
        throw new ToolError(
          'NEXUS_UNAVAILABLE',
          `${host.projectRoot} is no project, so there is no place for a registry.`,
        );
      }
      registry ??= openRegistry(folder, host.projectRoot);
      return registry;
    },
    async asking({ signal, progress }) {
      markup ??= import('./markup/markup.ts').then(({ Markup }) => new Markup(host.workers));
      return {
        fetching: host.fetching,
        markup: await markup,
        signal,
        progress: (message) => progress(message),
      };
    },
  };
}

async function openRegistry(folder: string, projectRoot: string): Promise<Registry> {
  const [{ createRegistry }, { registryFolder }] = await Promise.all([
    import('./registry/registry.ts'),
    import('./registry/folder.ts'),
  ]);
  return createRegistry(registryFolder(projectRoot, folder));
}
