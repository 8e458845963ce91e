import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CataloguedTool } from '@nexus/plugin-sdk';
import { testDataFolder } from '@nexus/testing';
import { catalogued } from './catalogued.ts';

type Definition = Readonly<Record<string, unknown>> & { readonly name: string };

/** A need, the tools that truly do the job, and what a host's model asked find_tools for it. */
export interface Need {
  readonly id: string;
  readonly query: string;
  readonly accept: readonly { readonly server: string; readonly tool: string }[];
  readonly agent: { readonly queries: readonly string[]; readonly toolboxes: readonly string[] };
}

/** Tools of real servers, each server a toolbox, and needs; undefined where this machine has no test data. */
export function realCatalogues(): { tools: CataloguedTool[]; needs: Need[] } | undefined {
  const folder = testDataFolder();
  if (folder === undefined) return undefined;
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const servers: Record<string, { tools: Definition[] }> = read('tool-catalogues.json');
  const tools = Object.entries(servers).flatMap(([server, own]) =>
    own.tools.map((definition) => catalogued(server, definition)),
  );
  return { tools, needs: read('find-tools-queries.json').queries };
}

/** Beside the title of tests that need them. */
export const NEEDS_DATA = '(runs where NEXUS_TEST_DATA names the test data)';
