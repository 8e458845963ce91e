import type { ConfigFault } from './config-fault.ts';
import { describeMissing, type Environment, ExpansionError, expandVariables } from './expansion/index.ts';
import type { RawConfig } from './raw-config.ts';

/** @returns the file with its variables put in, and each that is missing as a fault */
export function expandConfig(
  raw: RawConfig,
  environment: Environment,
): { expanded: RawConfig; missing: ConfigFault[] } {
  try {
    return { expanded: expandVariables(raw, environment) as RawConfig, missing: [] };
  } catch (error) {
    if (!(error instanceof ExpansionError)) throw error;
    const missing = error.missing.map(({ variable, path }) => ({ path, message: describeMissing(variable) }));
    return { expanded: error.expanded as RawConfig, missing };
  }
}
