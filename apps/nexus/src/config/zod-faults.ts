import { nearestNames } from '@nexus/plugin-sdk';
import { redactSettings } from '@nexus/untrusted/secrets';
import type { z } from 'zod';
import type { ConfigFault } from './config-fault.ts';
import { movedKeys } from './moved-keys.ts';

/**
 * zod's issues in our words: path, value found (secrets masked), what is allowed, nearest key.
 * @param raw as the file has it, variables unexpanded
 */
export function zodFaults(error: z.ZodError, raw: unknown, schema: z.ZodType): ConfigFault[] {
  // Written down once: a file may have thousands of faults.
  let written: unknown;
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      written ??= schema.toJSONSchema({ io: 'input' });
      const allowed = keysAt(written, issue.path);
      return issue.keys.map((key) => unknownKey([...issue.path, key], allowed));
    }
    const path = issue.path.map(String).join('.');
    const found = redactSettings(valueAt(raw, issue.path), issue.path);
    const shown = found === undefined ? 'nothing' : JSON.stringify(found);
    return [{ path, message: `${messageOf(issue)}; found ${shown?.slice(0, 120)}` }];
  });
}

/** What a record's key must be is told inside the issue. */
function messageOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
}

export function unknownKey(path: readonly PropertyKey[], allowed: readonly string[]): ConfigFault {
  const near = nearestNames(String(path.at(-1)), allowed, 1)[0];
  const moved = movedKeys[path.map(String).join('.')];
  if (moved !== undefined)
    return { path: path.map(String).join('.'), message: `no such key any more; ${moved}` };
  const hint = near ? `did you mean ${near}?` : `allowed: ${allowed.join(', ')}`;
  return { path: path.map(String).join('.'), message: `no such key; ${hint}` };
}

/** @param schema as JSON Schema */
function keysAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  let at = schema;
  for (const step of path) {
    const node = at as {
      properties?: Record<string, unknown>;
      additionalProperties?: unknown;
      items?: unknown;
    };
    at = node.properties?.[String(step)] ?? node.additionalProperties ?? node.items ?? {};
  }
  return Object.keys((at as { properties?: object }).properties ?? {});
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, step) => (at as Record<PropertyKey, unknown> | undefined)?.[step], raw);
}
