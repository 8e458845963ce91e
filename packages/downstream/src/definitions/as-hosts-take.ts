import { isRecord } from '@nexus/core';
import type { Members } from '@nexus/core/json-rpc';
import type { Definition } from './read-definitions.ts';

/**
 * A tool as it is listed. Clients on the official SDK refuse a whole list for one key of one tool (its
 * `ToolSchema`), so what they would refuse is said as they take it, where that means the same, and is left out
 * where it means nothing. All else is as served: the very object, where nothing had to change.
 */
export function asHostsTake(tool: Definition): Definition {
  const { title, description, inputSchema, outputSchema, annotations, icons, execution, _meta } = tool;
  return changed(tool, {
    title: title ?? undefined,
    description: description ?? undefined,
    _meta: _meta ?? undefined,
    inputSchema: isRecord(inputSchema) ? schemaAsTaken(inputSchema) : inputSchema,
    outputSchema: isRecord(outputSchema) ? outputAsTaken(outputSchema) : undefined,
    annotations: isRecord(annotations) ? annotationsAsTaken(annotations) : undefined,
    icons: Array.isArray(icons) ? iconsAsTaken(icons) : undefined,
    execution: isRecord(execution) ? executionAsTaken(execution) : undefined,
  }) as Definition; // with its name
}

/** Why no host could take a schema of an object, and nothing means the same; undefined for one that is sound. */
export function objectSchemaFault({ type, properties, required }: Members): string | undefined {
  if (type !== 'object') return 'is not of type "object"';
  if (properties !== undefined && properties !== null) {
    if (!isRecord(properties)) return 'has properties that are no object';
    const odd = Object.keys(properties).find((key) => !isSchema(properties[key]));
    if (odd !== undefined) return `has a property that is no schema: ${JSON.stringify(odd.slice(0, 80))}`;
  }
  const isList = Array.isArray(required) && required.every((name) => typeof name === 'string');
  return required === undefined || required === null || isList
    ? undefined
    : 'has a list required that is none';
}

/** The SDK takes any object; what is in a list there is nothing that a host could mean. */
function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || (typeof value === 'object' && value !== null);
}

/** What `true` and `false` mean as schemas (JSON Schema 2020-12 Core, 4.3.2). A null is how Go writes an empty list. */
function schemaAsTaken(schema: Members): Members {
  const { properties, required } = schema;
  return changed(schema, {
    properties: isRecord(properties) ? withoutBooleans(properties) : undefined,
    required: required === null ? undefined : required,
  });
}

function withoutBooleans(properties: Members): Members {
  if (!Object.values(properties).some((value) => typeof value === 'boolean')) return properties;
  // fromEntries, since a property may be named __proto__.
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => {
      if (typeof value !== 'boolean') return [name, value];
      return [name, value ? {} : { not: {} }];
    }),
  );
}

/** One that no host takes says nothing to any: answers are held to what was served all the same. */
function outputAsTaken(schema: Members): Members | undefined {
  return objectSchemaFault(schema) === undefined ? schemaAsTaken(schema) : undefined;
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

function annotationsAsTaken(annotations: Members): Members {
  const texts = ['title'].filter((key) => typeof annotations[key] !== 'string');
  const hints = HINTS.filter((key) => typeof annotations[key] !== 'boolean');
  return changed(annotations, Object.fromEntries([...texts, ...hints].map((key) => [key, undefined])));
}

function executionAsTaken(execution: Members): Members {
  const isKnown = ['required', 'optional', 'forbidden'].includes(String(execution.taskSupport));
  return isKnown ? execution : changed(execution, { taskSupport: undefined });
}

export function iconsAsTaken(icons: readonly unknown[]): readonly unknown[] {
  return icons.every(isIcon) ? icons : icons.filter(isIcon);
}

function isIcon(icon: unknown): boolean {
  if (!isRecord(icon) || typeof icon.src !== 'string') return false;
  const { mimeType, sizes, theme } = icon;
  return (
    (mimeType === undefined || typeof mimeType === 'string') &&
    (sizes === undefined || (Array.isArray(sizes) && sizes.every((size) => typeof size === 'string'))) &&
    (theme === undefined || theme === 'light' || theme === 'dark')
  );
}

/** The same object where all is as it was; else a copy with its keys where they were, without those now undefined. */
export function changed(of: Members, now: Members): Members {
  const isSame = Object.entries(now).every(([key, value]) => !Object.hasOwn(of, key) || of[key] === value);
  if (isSame) return of;
  const entries = Object.entries(of).flatMap(([key, value]) => {
    if (!Object.hasOwn(now, key)) return [[key, value] as const];
    return now[key] === undefined ? [] : [[key, now[key]] as const];
  });
  return Object.fromEntries(entries);
}
