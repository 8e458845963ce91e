import { isRecord } from '@nexus/core';
import { variableNames } from '@nexus/core/expansion';
import { redactSettings } from '@nexus/untrusted/secrets';
import type { ParsedConfig } from './parse.ts';

/**
 * The config for people: defaults filled in, variables as they are written (their values may be secrets),
 * literal secrets masked.
 */
export function shownConfig({
  config,
  pluginOptions,
  written,
}: Pick<ParsedConfig, 'config' | 'pluginOptions' | 'written'>): unknown {
  return redactSettings(asWritten({ ...config, ...pluginOptions }, written));
}

function asWritten(value: unknown, written: unknown): unknown {
  if (typeof written === 'string') return variableNames(written).length > 0 ? written : value;
  if (Array.isArray(value) && Array.isArray(written)) {
    return value.map((item, index) => asWritten(item, written[index]));
  }
  if (!isRecord(value) || !isRecord(written)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asWritten(item, written[key])]));
}
