import { type Secrets, ToolError } from '@nexus/plugin-sdk';

export interface Entry {
  readonly key: string;
  readonly value: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** @throws {ToolError} NEXUS_SECRET_REFUSED with the kind of the secret and its place, never the secret */
export function refuseSecrets({ key, value, metadata }: Entry, secrets: Secrets): void {
  const places = { key: [key], value: [value, assignment(key, value)], metadata: textsOf(metadata) };
  for (const [place, texts] of Object.entries(places)) assertNone(place, texts, secrets);
}

function assertNone(place: string, texts: readonly string[], secrets: Secrets): void {
  for (const text of texts) {
    const kind = secrets.find(text);
    if (kind === undefined) continue;
    const message = `The ${place} looks as if it holds ${kind}; nothing was stored. Store where the secret is kept (a vault path, the name of a variable) instead.`;
    throw new ToolError('NEXUS_SECRET_REFUSED', message, { detail: { field: place, kind } });
  }
}

/** `db-password` with the value `…` gives itself away only when both are read together. */
function assignment(name: string, value: string): string {
  return `${name} = ${value}`;
}

/** Every name, every text and each text under its name. */
function textsOf(value: unknown, name = ''): string[] {
  if (typeof value !== 'object' || value === null) return [name, assignment(name, String(value))];
  return Object.entries(value).flatMap(([inner, each]) => textsOf(each, Array.isArray(value) ? name : inner));
}
