import { isRecord } from '@nexus/core/json-type';
import { ConfigError, type ConfigFault } from '../config/config-fault.ts';
import { withPlaces } from '../config/load.ts';
import { type ParsedConfig, type ParseInput, parseConfig } from '../config/parse.ts';
import type { RawConfig } from '../config/raw-config.ts';
import { toolboxFaults } from '../config/toolbox-faults.ts';
import type { Part } from '../trust/part.ts';

interface CheckInput extends ParseInput {
  /** The file with what waits for trust. */
  readonly whole: RawConfig;
  readonly waiting: readonly Part[];
}

/**
 * As `parseConfig`, of a file.
 * @throws {ConfigError} all faults at once, each with where it stands in the file
 */
export async function checkConfig(
  raw: RawConfig,
  { whole, waiting, ...input }: CheckInput,
): Promise<ParsedConfig> {
  const faults = [...(input.faults ?? []), ...faultsOfWaiting(waiting, whole)];
  try {
    return parseConfig(raw, { ...input, faults });
  } catch (error) {
    throw error instanceof ConfigError ? await withPlaces(error, input.source) : error;
  }
}

/** What is wrong with toolboxes that wait is told now, and not only when they are trusted. */
function faultsOfWaiting(waiting: readonly Part[], { toolboxes }: RawConfig): ConfigFault[] {
  if (!waiting.some(({ path }) => path[0] === 'toolboxes') || !isRecord(toolboxes)) return [];
  const parts = waiting.map(({ path }) => path.join('.'));
  return toolboxFaults(toolboxes)
    .map(({ path, message }) => ({ path: `toolboxes.${path}`, message }))
    .filter(({ path }) => parts.some((part) => path.startsWith(part)));
}
