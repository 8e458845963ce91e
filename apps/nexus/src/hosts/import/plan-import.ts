import { toolboxFaults } from '../../config/toolbox-faults.ts';
import type { Machine } from './host-files.ts';
import { type RawServer, readHostFile } from './read-host-file.ts';
import { isNexus, toServer } from './to-server.ts';
import { createVariables, type NeededVariable } from './variables.ts';

/** What an import would bring. */
export interface ImportPlan {
  /** The files that were found and read. */
  readonly files: readonly string[];
  /** Entries for `mcpServers`, by name. */
  readonly servers: Readonly<Record<string, Record<string, unknown>>>;
  readonly variables: readonly NeededVariable[];
  /** What was left out, and why, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * Reads a host's files and turns their servers into entries of our config.
 * @param files the file that wins first
 */
export async function planImport(files: readonly string[], machine: Machine): Promise<ImportPlan> {
  const { home, projectRoot, platform } = machine;
  const read = await Promise.all(
    files.map(async (file) => ({ file, servers: await readHostFile(file, projectRoot) })),
  );
  const found = read.flatMap(({ file, servers }) => (servers ? [{ file, ...servers }] : []));
  const raw: Record<string, RawServer> = Object.assign(
    {},
    ...found.map(({ general }) => general).reverse(),
    ...found.map(({ ofProject }) => ofProject),
  );
  const variables = createVariables({
    workspaceFolder: projectRoot,
    workspaceRoot: projectRoot,
    userHome: home,
    pathSeparator: platform === 'win32' ? '\\' : '/',
    '/': platform === 'win32' ? '\\' : '/',
  });
  const servers: Record<string, Record<string, unknown>> = {};
  const notes: string[] = [];
  for (const [name, entry] of Object.entries(raw)) {
    if (isNexus(entry)) {
      notes.push(`${name}: left out, it is Nexus itself`);
      continue;
    }
    const converted = toServer(entry);
    if ('reason' in converted) {
      notes.push(`${name}: left out, ${converted.reason}`);
      continue;
    }
    const fault = toolboxFaults({ imported: { mcpServers: { [name]: converted.server } } })[0];
    if (fault) {
      notes.push(`${name}: left out, ${fault.message}`);
      continue;
    }
    servers[name] = variables.replaceIn(converted.server, name);
    if (converted.leftOut.length > 0) {
      notes.push(`${name}: without ${converted.leftOut.join(', ')}, which only that host knows`);
    }
  }
  return { files: found.map(({ file }) => file), servers, variables: variables.needed(), notes };
}
