import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Client } from '../client/connect-to-nexus.ts';
import { findTool, type KnownTool } from '../client/every-tool.ts';
import { readTool } from '../client/read-tool.ts';

/** What the first word of `nexus run` means. */
export type Meant =
  | { readonly type: 'sentence' }
  | { readonly type: 'tool'; readonly tool: KnownTool }
  /** As `run_workflow` takes it. */
  | { readonly type: 'workflow'; readonly template: string };

/**
 * A text with spaces is a sentence, a path a workflow file, and one word a workflow or a tool.
 * @throws {Error} for a word that is both, and says how to tell them apart
 */
export async function whatToRun(client: Client, what: string): Promise<Meant> {
  if (/\s/.test(what.trim())) return { type: 'sentence' };
  if (isPath(what)) return { type: 'workflow', template: await pathFrom(what) };
  if (/^(nexus|workflow|graph):/.test(what)) return { type: 'workflow', template: what };
  const tool = await findTool(client, what);
  // As where the plugin is turned off.
  const { workflows } = (await findTool(client, 'list_workflows'))
    ? await readTool(client, 'list_workflows', { format: 'names' })
    : { workflows: [] };
  const kinds = workflows
    .filter(({ name, file }) => name === what || name === `nexus:${what}` || stem(file) === what)
    .map(({ kind }) => kind);
  if (tool && kinds.length > 0) {
    throw new Error(
      `"${what}" is a tool and a ${kinds[0]}; say ${kinds[0]}:${what}, or call the tool by \`nexus call ${what}\``,
    );
  }
  if (new Set(kinds).size > 1) {
    throw new Error(`"${what}" is a workflow and a graph; say workflow:${what}, or graph:${what}`);
  }
  return tool ? { type: 'tool', tool } : { type: 'workflow', template: what };
}

/** Of a workflow file; a name has neither. */
export function isPath(what: string): boolean {
  return /[/\\]/.test(what) || /\.ya?ml$/i.test(what);
}

/** As a person at a shell means it; where there is none, as seen from the project. */
async function pathFrom(what: string): Promise<string> {
  const here = resolve(what);
  const isHere = await stat(here).then(
    () => true,
    () => false,
  );
  return isHere ? here : what;
}

function stem(file: string | undefined): string | undefined {
  return file?.replace(/^.*\//, '').replace(/\.ya?ml$/i, '');
}
