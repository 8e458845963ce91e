import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '@nexus/core/expansion';
import { ConfigError } from '../config/config-fault.ts';
import type { Found } from '../config/find.ts';
import type { RawConfig } from '../config/raw-config.ts';
import { withoutPaths } from '../config/without-paths.ts';
import { appDir } from '../version.ts';
import type { Part } from './part.ts';
import { isSection, partsOf } from './parts.ts';
import { readTrust } from './trust-record.ts';

/** What of a config counts, as far as its user trusts it. */
export interface Trust {
  /** The config without what waits. */
  readonly used: RawConfig;
  /** Parts that run, load or send something; none where the config is the user's own choice. */
  readonly parts: readonly Part[];
  /** Those that the user has not trusted as they stand. */
  readonly waiting: readonly Part[];
}

/**
 * Whether every project's config counts whole, whoever wrote it: for containers, where nobody can be asked.
 * @throws {ConfigError} for any other value than `all`
 */
export function isAnyoneTrusted({ NEXUS_TRUST }: Environment): boolean {
  if (NEXUS_TRUST === undefined || NEXUS_TRUST === '') return false;
  if (NEXUS_TRUST === 'all') return true;
  const message = `must be all, or not set; found ${JSON.stringify(NEXUS_TRUST)}`;
  throw new ConfigError('the environment', [{ path: 'NEXUS_TRUST', message }]);
}

/** Parts a config into what counts and what waits for its user. */
export function judge(raw: RawConfig, found: Found, environment: Environment): Trust {
  const { configFile, isOwnChoice } = found;
  if (configFile === undefined || isOwnChoice || isAnyoneTrusted(environment)) {
    return { used: raw, parts: [], waiting: [] };
  }
  const parts = allParts(raw, configFile, environment);
  const { trusted } = parts.length > 0 ? readTrust(configFile) : { trusted: {} };
  const waiting = parts.filter(({ name, hash }) => trusted[name]?.hash !== hash);
  const left = [...waiting, ...optionsOf(parts, waiting)].map(({ path }) => path);
  return { used: withoutPaths(raw, left), parts, waiting };
}

/** Where a plugin waits, a section that nobody else knows may be its options, and would be a fault without it. */
function optionsOf(parts: readonly Part[], waiting: readonly Part[]): readonly Part[] {
  if (!waiting.some(({ path }) => path[0] === 'plugins')) return [];
  return parts.filter(({ path: [section = ''] }) => !isSection(section));
}

/** Every part of a config file's content that can be trusted. */
function allParts(raw: RawConfig, configFile: string, environment: Environment): Part[] {
  const folder = dirname(realpathSync(configFile));
  return partsOf(raw, { folder, appDir: fileURLToPath(appDir), environment });
}
