import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CataloguedTool } from '@nexus/plugin-sdk';
import { replayServer } from '@nexus/testing/replay-server';
import { testDataFolder } from '@nexus/testing/test-data';

type Definition = CataloguedTool['definition'] & { readonly name: string };

/** A need, the tools that do the job, and what a host's model asked find_tools for it. */
export interface Need {
  readonly query: string;
  readonly accept: readonly { readonly server: string; readonly tool: string }[];
  readonly agent: { readonly queries: readonly string[]; readonly toolboxes: readonly string[] };
}

/** Tools of real servers, and needs that some of them meet. */
export interface RealCatalogues {
  readonly tools: readonly CataloguedTool[];
  readonly needs: readonly Need[];
  /** For the config: each server, replayed, in a toolbox of its name. */
  readonly toolboxes: Readonly<Record<string, object>>;
}

/** Undefined on a machine without the test data, which is no part of the repository. */
export function realCatalogues(): RealCatalogues | undefined {
  const folder = testDataFolder();
  if (folder === undefined) return undefined;
  const file = join(folder, 'tool-catalogues.json');
  const servers: Record<string, { package: string; tools: Definition[] }> = readJson(file);
  const { queries: needs }: { queries: Need[] } = readJson(join(folder, 'find-tools-queries.json'));
  return {
    tools: Object.entries(servers).flatMap(([server, { tools }]) =>
      tools.map((definition) => catalogued(server, definition)),
    ),
    needs,
    toolboxes: Object.fromEntries(
      Object.entries(servers).map(([name, server]) => [
        name,
        {
          description: `Tools of ${server.package}.`,
          mcpServers: { [name]: replayServer(file, name) },
        },
      ]),
    ),
  };
}

function catalogued(server: string, definition: Definition): CataloguedTool {
  const { name } = definition;
  return {
    toolbox: server,
    server,
    tool: name,
    registeredName: `${server}__${server}__${name}`,
    definition,
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  };
}

function readJson(file: string) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
