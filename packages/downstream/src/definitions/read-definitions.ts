import { isRecord } from '@nexus/core';

type Members = Readonly<Record<string, unknown>>;

/** A definition as served, checked so far that no client will refuse a list for it. */
export interface Definition extends Members {
  readonly name: string;
}

/** A definition that is left out of its list, and why. */
export interface DefinitionFault {
  readonly tool?: string;
  readonly reason: string;
}

export interface ReadDefinitions {
  readonly definitions: readonly Definition[];
  readonly faults: readonly DefinitionFault[];
}

/** What a tool's keys must be where they are there (MCP 2025-11-25, `Tool`): clients refuse a whole list for one. */
const TEXTS = ['title', 'description'];
const OBJECTS = ['outputSchema', 'annotations', 'execution', '_meta'];

/** A server's list of tools: the sound ones as they are, each of the rest with what is wrong with it. */
export function readTools(listed: readonly unknown[]): ReadDefinitions {
  return readDefinitions(listed, (tool) => {
    const { inputSchema } = tool;
    if (!isRecord(inputSchema)) return 'its inputSchema is no object';
    if (inputSchema.type !== 'object') return 'its inputSchema is not of type "object"';
    return keyFault(tool);
  });
}

export function readPrompts(listed: readonly unknown[]): ReadDefinitions {
  return readDefinitions(listed, (prompt) => {
    const isList = prompt.arguments === undefined || Array.isArray(prompt.arguments);
    return isList ? keyFault(prompt) : 'its arguments are no list';
  });
}

function readDefinitions(
  listed: readonly unknown[],
  faultOf: (definition: Members) => string | undefined,
): ReadDefinitions {
  const byName = new Map<string, Definition>();
  const faults: DefinitionFault[] = [];
  for (const [index, listing] of listed.entries()) {
    if (!isRecord(listing)) {
      faults.push({ reason: `number ${index + 1} of its list is no object` });
      continue;
    }
    if (!isNamed(listing)) {
      faults.push({ reason: `number ${index + 1} of its list has no name` });
      continue;
    }
    const reason = byName.has(listing.name) ? 'its name is in the list before' : faultOf(listing);
    if (reason === undefined) byName.set(listing.name, listing);
    else faults.push({ tool: listing.name, reason });
  }
  return { definitions: [...byName.values()], faults };
}

function isNamed(listing: Members): listing is Definition {
  return typeof listing.name === 'string' && listing.name.trim() !== '';
}

function keyFault(definition: Members): string | undefined {
  const text = TEXTS.find((key) => definition[key] !== undefined && typeof definition[key] !== 'string');
  if (text !== undefined) return `its ${text} is no text`;
  const object = OBJECTS.find((key) => definition[key] !== undefined && !isRecord(definition[key]));
  return object === undefined ? undefined : `its ${object} is no object`;
}
