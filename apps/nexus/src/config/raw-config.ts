import { isRecord } from '@nexus/core/json-type';

/** The parsed file before any check. */
export type RawConfig = Readonly<Record<string, unknown>>;

export function isRawConfig(value: unknown): value is RawConfig {
  return isRecord(value);
}
