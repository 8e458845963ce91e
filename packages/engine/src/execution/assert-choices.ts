import { isRecord } from '@nexus/core';
import { nearestNames, type RunKindName, ToolError } from '@nexus/plugin-sdk';

/**
 * Holds an input to what its kind says of it; of a kind that no plugin here has, nothing is known.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS
 */
export function assertChoices(kind: RunKindName | undefined, input: unknown): void {
  if (kind?.choices === undefined || !isRecord(input)) return;
  for (const [field, names] of Object.entries(kind.choices)) {
    const given = input[field];
    if (given === undefined || (typeof given === 'string' && names.includes(given))) continue;
    const text = `${field} of ${kind.name} is one of ${names.join(', ')}; ${JSON.stringify(given)} is none.`;
    const nearest = typeof given === 'string' ? nearestNames(given, names) : [];
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', text, { detail: { field, nearest } });
  }
}
