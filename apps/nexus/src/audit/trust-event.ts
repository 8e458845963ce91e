import type { AuditEvent } from '@nexus/plugin-sdk';
import type { Part } from '../trust/part.ts';
import type { Trust } from '../trust/trust.ts';

/** The user's yes to parts, by their names and what they were when it was given. */
export function trustEvent(parts: readonly Part[]): AuditEvent {
  return { kind: 'trust.given', data: { parts: named(parts) } };
}

/** The parts that a process takes for trusted, wherever its user said so. */
export function trustInForce({
  parts,
  waiting,
}: Trust): readonly { readonly name: string; readonly hash: string }[] {
  const waits = new Set(waiting.map(({ place, name }) => `${place} ${name}`));
  return named(parts.filter(({ place, name }) => !waits.has(`${place} ${name}`)));
}

function named(parts: readonly Part[]) {
  return parts.map(({ name, hash }) => ({ name, hash }));
}
