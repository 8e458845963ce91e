import { isRecord } from '@nexus/core';
import { redactSettings } from '@nexus/untrusted/secrets';
import { variableNames } from './expansion/index.ts';
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
  const shown = Object.entries(value).map(([key, item]) => [key, asWritten(item, written[key])]);
  // A server that lacks a variable is in the file and not in what holds.
  const lacking = Object.entries(isRecord(written.mcpServers) ? written.mcpServers : {}).filter(
    ([server]) => isRecord(value.mcpServers) && !Object.hasOwn(value.mcpServers, server),
  );
  const all = Object.fromEntries(shown);
  if (lacking.length > 0) all.mcpServers = { ...all.mcpServers, ...Object.fromEntries(lacking) };
  return all;
}
