import type { Members } from '@nexus/core/json-rpc';
import { canonicalJson, stableHash } from '@nexus/primitives';
import type { PendingChange } from '../downstreams.ts';

/** What a model or a host goes by when it uses a tool. */
const FIELDS = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const;

export function pinHash(definition: Members): string {
  return stableHash(pinned(definition));
}

export function pinned(definition: Members): Members {
  return Object.fromEntries(
    FIELDS.flatMap((field) => (definition[field] === undefined ? [] : [[field, definition[field]]])),
  );
}

export function changesBetween(before: Members, now: Members): PendingChange['changes'] {
  return FIELDS.filter((field) => canonicalJson(before[field]) !== canonicalJson(now[field])).map(
    (field) => ({ field, old: before[field], new: now[field] }),
  );
}
