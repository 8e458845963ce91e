import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CataloguedTool } from '@nexus/plugin-sdk';
import { membersOf } from '../json-object.ts';
import { termsOf } from './words.ts';

/** What the index reads of a tool. */
export interface ToolDocument {
  readonly name: string;
  /** Toolbox and server, each word once: their names are often the same. */
  readonly place: string;
  readonly description: string;
  readonly parameters: string;
}

export const DOCUMENT_FIELDS = ['name', 'place', 'description', 'parameters'] as const;

/** What a description says after that is not searched. */
const MAX_DESCRIPTION_CHARS = 20_000;

/** So many tools are read at a stretch; other sessions' work goes on in between. */
const CHUNK_SIZE = 200;

export async function readDocuments(tools: readonly CataloguedTool[]): Promise<ToolDocument[]> {
  const documents: ToolDocument[] = [];
  for (const tool of tools) {
    if (documents.length % CHUNK_SIZE === CHUNK_SIZE - 1) await nextTurn();
    documents.push(toDocument(tool));
  }
  return documents;
}

function toDocument({ toolbox, server, tool, definition }: CataloguedTool): ToolDocument {
  const place = new Set([...termsOf(toolbox), ...termsOf(server)]);
  return {
    name: tool,
    place: [...place].join(' '),
    description:
      typeof definition.description === 'string'
        ? definition.description.slice(0, MAX_DESCRIPTION_CHARS)
        : '',
    parameters: Object.keys(membersOf(membersOf(definition.inputSchema).properties)).join(' '),
  };
}
