import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecord } from '@nexus/core';
import { ConfigError } from '../config/config-fault.ts';
import type { Environment } from '../config/expansion/index.ts';
import type { Found } from '../config/find.ts';
import type { RawConfig } from '../config/raw-config.ts';
import { withoutPaths } from '../config/without-paths.ts';
import { findRepository } from '../project/repository.ts';
import { appDir } from '../version.ts';
import { isSection } from './known-sections.ts';
import type { Part } from './part.ts';
import { projectParts } from './project-part.ts';
import { scheduleParts } from './schedule-part.ts';
import { untrusted } from './trust-record.ts';

/** What of a project counts, as far as its user trusts it. */
export interface Trust {
  /** The config without what waits. */
  readonly used: RawConfig;
  /** All there are; of a config that is the user's own choice none. */
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
export async function judge(raw: RawConfig, found: Found, environment: Environment): Promise<Trust> {
  const { configFile, isOwnChoice } = found;
  if (isAnyoneTrusted(environment)) return { used: raw, parts: [], waiting: [] };
  const parts = configFile === undefined || isOwnChoice ? [] : await allParts(raw, configFile, environment);
  const waiting = untrusted(parts);
  const left = [...waiting, ...optionsOf(parts, waiting)].map(({ path }) => path);
  const used = withoutPaths(raw, left);
  const own = [
    ...(isNamed(used, environment) ? [] : projectParts(found, environment)),
    ...scheduleParts(found.projectRoot),
  ];
  return { used, parts: [...parts, ...own], waiting: [...waiting, ...untrusted(own)] };
}

/** Whether the user, or a config that counts, says which project this is. */
function isNamed({ project }: RawConfig, { NEXUS_PROJECT_ID }: Environment): boolean {
  return Boolean(NEXUS_PROJECT_ID) || (isRecord(project) && project.id !== undefined);
}

/** Where a plugin waits, a section that nobody else knows may be its options, and would be a fault without it. */
function optionsOf(parts: readonly Part[], waiting: readonly Part[]): readonly Part[] {
  const hasPlugin = waiting.some(({ path }) => path[0] === 'plugins');
  return parts.filter(({ path: [section = ''] }) => hasPlugin && !isSection(section));
}

/** Every part of a config file's content that can be trusted. */
async function allParts(raw: RawConfig, configFile: string, environment: Environment): Promise<Part[]> {
  // What reads command lines and modules is a sixth of a server's code, and most projects have no config.
  const { partsOf } = await import('./parts.ts');
  const place = realpathSync(configFile);
  const folder = dirname(place);
  const top = findRepository(folder)?.top ?? folder;
  const parts = partsOf(raw, { folder, top, appDir: fileURLToPath(appDir), environment });
  return parts.map((part) => ({ place, ...part }));
}
