import { isRecord } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import { objectSchemaFault } from './as-hosts-take.ts';
import { MAX_LISTED, nameFault, shownName, sizeFault } from './bounds.ts';

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
  /** How many of the list are no definition here, each for a fault or for being too many. */
  readonly leftOut: number;
}

/** What a tool's keys must be where they are there (MCP 2025-11-25, `Tool`): clients refuse a whole list for one. */
const TEXTS = ['title', 'description'];
const OBJECTS = ['outputSchema', 'annotations', 'execution', '_meta'];

/** A server's list of tools: the sound ones as they are, each of the rest with what is wrong with it. */
export function readTools(listed: readonly unknown[]): ReadDefinitions {
  return readDefinitions(listed, (tool) => {
    const { inputSchema } = tool;
    if (!isRecord(inputSchema)) return 'its inputSchema is no object';
    const fault = objectSchemaFault(inputSchema);
    return fault === undefined ? keyFault(tool) : `its inputSchema ${fault}`;
  });
}

export function readPrompts(listed: readonly unknown[]): ReadDefinitions {
  return readDefinitions(listed, (prompt) => {
    const isList = isAbsent(prompt.arguments) || Array.isArray(prompt.arguments);
    return isList ? keyFault(prompt) : 'its arguments are no list';
  });
}

function readDefinitions(
  listed: readonly unknown[],
  faultOf: (definition: Members) => string | undefined,
): ReadDefinitions {
  const byName = new Map<string, Definition>();
  const faults: DefinitionFault[] = [];
  for (const [index, listing] of listed.slice(0, MAX_LISTED).entries()) {
    if (!isRecord(listing)) {
      faults.push({ reason: `number ${index + 1} of its list is no object` });
      continue;
    }
    if (!isNamed(listing)) {
      faults.push({ reason: `number ${index + 1} of its list has no name` });
      continue;
    }
    const { name } = listing;
    const isKnown = byName.has(name) ? 'its name is in the list before' : undefined;
    const reason = nameFault(name) ?? isKnown ?? sizeFault(listing) ?? faultOf(listing);
    if (reason === undefined) byName.set(name, listing);
    else faults.push({ tool: shownName(name), reason });
  }
  if (listed.length > MAX_LISTED) {
    const reason = `its list has ${listed.length} items; those after the first ${MAX_LISTED} are left out; have it list fewer, by a setting of its own`;
    faults.push({ reason });
  }
  const definitions = [...byName.values()];
  return { definitions, faults: cut(faults), leftOut: listed.length - definitions.length };
}

/** So many are told of one by one. */
const MAX_FAULTS = 20;

function cut(faults: readonly DefinitionFault[]): readonly DefinitionFault[] {
  const more = faults.length - MAX_FAULTS;
  if (more <= 0) return faults;
  return [...faults.slice(0, MAX_FAULTS), { reason: `${more} more of its list are left out` }];
}

function isNamed(listing: Members): listing is Definition {
  return typeof listing.name === 'string' && listing.name.trim() !== '';
}

function keyFault(definition: Members): string | undefined {
  const text = TEXTS.find((key) => !isAbsent(definition[key]) && typeof definition[key] !== 'string');
  if (text !== undefined) return `its ${text} is no text`;
  const object = OBJECTS.find((key) => !isAbsent(definition[key]) && !isRecord(definition[key]));
  return object === undefined ? undefined : `its ${object} is no object`;
}

/** Some languages write null for what is not there. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
