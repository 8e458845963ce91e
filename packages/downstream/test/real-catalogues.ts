import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Tool = Readonly<Record<string, unknown>> & { readonly name: string };

/** Where catalogues of real servers are, which are no part of the repository. */
const FOLDERS = [
  process.env.NEXUS_TEST_DATA,
  fileURLToPath(new URL('../../../../shared/data', import.meta.url)),
];

/** The tools of real servers by server; undefined where they are not on this machine. */
export function realCatalogues(): Readonly<Record<string, readonly Tool[]>> | undefined {
  const file = FOLDERS.map((folder) => folder && join(folder, 'tool-catalogues.json')).find(
    (path) => path && existsSync(path),
  );
  if (!file) {
    console.warn(
      'No catalogues of real servers (NEXUS_TEST_DATA): names and schemas are tested on fixtures alone.',
    );
    return undefined;
  }
  const servers: Record<string, { tools: Tool[] }> = JSON.parse(readFileSync(file, 'utf8'));
  return Object.fromEntries(Object.entries(servers).map(([server, { tools }]) => [server, tools]));
}
