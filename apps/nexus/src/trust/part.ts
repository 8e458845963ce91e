import { createHash } from 'node:crypto';

/** A part of a project's config that runs, loads or sends something, and so counts only once it is trusted. */
export interface Part {
  /** Where it stands, by its keys: `['toolboxes', 'dev', 'mcpServers', 'github']`. */
  readonly path: readonly string[];
  /** The same whatever is written before it: `toolboxes.dev.mcpServers.github`, `plugins: ./review.mjs`. */
  readonly name: string;
  /** What it would run, load or send, for a person to read; secrets masked. */
  readonly lines: readonly string[];
  /** Of all that, secrets included. */
  readonly hash: string;
}

/** SHA-256 of a value as JSON, the keys of every object in order. */
export function hashOf(value: unknown): string {
  const text = JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
  return createHash('sha256')
    .update(text ?? '')
    .digest('hex');
}
