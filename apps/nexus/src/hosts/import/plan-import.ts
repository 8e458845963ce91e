import { variableNames } from '../../config/expansion/index.ts';
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
  /** Of those, what stood in the host's files: shown to nobody, and written nowhere but there. */
  readonly values: Readonly<Record<string, string>>;
  /** What was left out, and why, a sentence each. */
  readonly notes: readonly string[];
}

/** The config that the servers come to. */
export interface ImportTarget {
  /** Its text as it is; empty where there is none. */
  readonly text: string;
  /** The server that it has under a name now. */
  before(name: string): unknown;
}

const NO_CONFIG: ImportTarget = { text: '', before: () => undefined };

/**
 * Reads a host's files and turns their servers into entries of our config. A file or a server that can't be
 * understood is noted, and the others come.
 * @param files the file that wins first
 * @throws {Error} where there is one file and it can't be understood
 */
export async function planImport(
  files: readonly string[],
  machine: Machine,
  target: ImportTarget = NO_CONFIG,
): Promise<ImportPlan> {
  const { projectRoot } = machine;
  const notes: string[] = [];
  const read = await Promise.all(
    files.map(async (file) => {
      try {
        return { file, servers: await readHostFile(file, projectRoot) };
      } catch (error) {
        if (files.length === 1) throw error;
        notes.push(`left out: ${(error as Error).message}`);
        return { file, servers: undefined };
      }
    }),
  );
  const found = read.flatMap(({ file, servers }) => (servers ? [{ file, ...servers }] : []));
  const raw: Record<string, RawServer> = Object.assign(
    {},
    ...found.map(({ general }) => general).reverse(),
    ...found.map(({ ofProject }) => ofProject),
  );
  const taken = new Set(variableNames(`${target.text} ${JSON.stringify(raw)}`));
  const variables = createVariables(machine, taken);
  const servers: Record<string, Record<string, unknown>> = {};
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
    servers[name] = variables.replaceIn(converted.server, name, target.before(name));
    if (converted.leftOut.length > 0) {
      notes.push(`${name}: without ${converted.leftOut.join(', ')}, which only that host knows`);
    }
  }
  return {
    files: found.map(({ file }) => file),
    servers,
    variables: variables.needed(),
    values: variables.values(),
    notes,
  };
}
