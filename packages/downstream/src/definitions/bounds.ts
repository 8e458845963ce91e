import { MAX_DEPTH, sizeOf } from '@nexus/client';
import { isRecord } from '@nexus/core';

/** What a server may list; more than any real one does. */
export const MAX_LISTED = 5_000;
/** Of one definition as JSON, its schemas, icons and all. */
const MAX_DEFINITION_CHARS = 256 * 1024;
/** Hosts take 64, and the protocol advises 128: what is longer is registered under a hash. */
const MAX_NAME_CHARS = 512;
/** A control character, or half of a surrogate pair: no text that every host, log and store takes. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Why a name can't be used by anyone; undefined for one that can. */
export function nameFault(name: string): string | undefined {
  if (name.length > MAX_NAME_CHARS) return `its name has more than ${MAX_NAME_CHARS} characters`;
  return UNPRINTABLE.test(name) ? 'its name has characters that are no text' : undefined;
}

/** A name as it can be told of, whatever is in it. */
export function shownName(name: string): string {
  const text = JSON.stringify(name.slice(0, MAX_SHOWN_CHARS)).slice(1, -1);
  return name.length > MAX_SHOWN_CHARS ? `${text}…` : text;
}

const MAX_SHOWN_CHARS = 80;

/** Why a definition is more than hosts and this process can be asked to hold; undefined for one that is not. */
export function sizeFault(definition: unknown): string | undefined {
  const size = sizeOf(definition, MAX_DEFINITION_CHARS);
  if (size === Number.POSITIVE_INFINITY) return `it is nested more than ${MAX_DEPTH} deep`;
  return size > MAX_DEFINITION_CHARS ? `it is larger than ${MAX_DEFINITION_CHARS / 1024} KiB` : undefined;
}

/** Whether a definition has a pattern in one of its schemas. */
export function hasPattern(definition: unknown): boolean {
  if (Array.isArray(definition)) return definition.some(hasPattern);
  if (!isRecord(definition)) return false;
  for (const key in definition) {
    if (key === 'pattern' || key === 'patternProperties' || hasPattern(definition[key])) return true;
  }
  return false;
}
