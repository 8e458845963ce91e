import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OwnPermissions } from '@nexus/core';
import type { AnyPlugin } from '@nexus/plugin-sdk';
import { ConfigError, type ConfigFault } from '../config/config-fault.ts';
import { ownSections } from '../config/default-config.ts';
import { expandConfig } from '../config/expand-config.ts';
import { ownPermissions, withOwnRestrictions } from '../config/own-restrictions.ts';
import type { ParsedConfig } from '../config/parse.ts';
import { plainConfig } from '../config/plain-config.ts';
import type { RawConfig } from '../config/raw-config.ts';
import { bundled } from '../plugins/bundled.ts';
import { importPlugin } from '../plugins/import-plugin.ts';
import { isSection } from '../trust/known-sections.ts';
import type { Trust } from '../trust/trust.ts';
import { appDir } from '../version.ts';
import { mentionedPlugins } from './mentioned-plugins.ts';
import { type OwnConfig, ownSectionsOf } from './own-config.ts';
import { ownDoubts } from './own-doubts.ts';

export { toolboxSource } from './toolbox-source.ts';

interface Reading {
  readonly configFile: string;
  /** The file, whole. */
  readonly whole: RawConfig;
  /** The user's own, where another counts. */
  readonly own: OwnConfig | undefined;
  readonly trust: Trust;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Read {
  readonly parsed: ParsedConfig;
  readonly imported: readonly AnyPlugin[];
  readonly ownPermissions: OwnPermissions | undefined;
  /** What the user's own config forbids, by its sections. */
  readonly forbidden: RawConfig;
  /** What of that file may be a prohibition, misspelt, a sentence each. */
  readonly ownDoubts: readonly string[];
  /** What would stop the start once all that waits is trusted, in words. */
  readonly faultsOnceTrusted: string | undefined;
}

/**
 * Checks what a file says, and imports the plugins it names.
 * @throws {ConfigError} all faults at once
 */
export async function readConfig({ configFile, whole, own, trust, env }: Reading): Promise<Read> {
  const { plugins: imported, faults } = await importPlugins(
    expandConfig(trust.used, env).expanded.plugins,
    configFile,
  );
  const toolNames = new Set([...bundled, ...imported].flatMap(({ tools }) => tools.map(({ name }) => name)));
  const check = (raw: RawConfig, of: Pick<Checking, 'source' | 'whole' | 'waiting' | 'faults'>) =>
    checkFile(raw, { ...of, imported, toolNames, env });
  const forbidden = own
    ? await ownSectionsOf(own, {
        ...{ env, toolNames, ofWaiting: sectionsOfWaiting(trust) },
        check: (raw) => check(raw, { source: own.file, whole: raw, waiting: [], faults: [] }),
      })
    : {};
  const raw = withOwnRestrictions(trust.used, forbidden);
  const parsed = await check(raw, { source: configFile, whole, waiting: trust.waiting, faults });
  // Of a plugin that waits nobody knows what it takes.
  const isKnown = trust.waiting.length > 0 && !trust.waiting.some(({ path }) => path[0] === 'plugins');
  const faultsOnceTrusted = isKnown
    ? await check(whole, { source: configFile, whole, waiting: [], faults: [] }).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof ConfigError) return error.message;
          throw error;
        },
      )
    : undefined;
  const ownOnes = own && ownPermissions(forbidden, own.file);
  return {
    ...{ parsed, imported, forbidden, faultsOnceTrusted },
    ownPermissions: ownOnes,
    ownDoubts: own ? ownDoubts(own, toolNames, whole) : [],
  };
}

/** Sections of the file that nobody knows as long as the plugins that it names wait for trust. */
function sectionsOfWaiting({ waiting }: Trust): ReadonlySet<string> {
  const isPluginWaiting = waiting.some(({ path }) => path[0] === 'plugins');
  const sections = isPluginWaiting ? waiting.flatMap(({ path }) => path[0] ?? []) : [];
  return new Set(sections.filter((section) => !isSection(section)));
}

interface Checking {
  readonly source: string;
  readonly whole: RawConfig;
  readonly waiting: Trust['waiting'];
  readonly faults: readonly ConfigFault[];
  readonly imported: readonly AnyPlugin[];
  readonly toolNames: ReadonlySet<string>;
  readonly env: Reading['env'];
}

async function checkFile(raw: RawConfig, checking: Checking): Promise<ParsedConfig> {
  const { source, whole, waiting, faults, imported, toolNames, env } = checking;
  const mentioned = mentionedPlugins(raw, bundled);
  const saysOnlyOurs = mentioned.size === 0 && raw.plugins === undefined && raw.mcp === undefined;
  if (saysOnlyOurs && waiting.length === 0) {
    const parsed = plainConfig(raw, { toolNames, environment: env });
    if (parsed) return parsed;
  }
  const { checkConfig } = await import('./check-config.ts');
  const loaded = await Promise.all(
    bundled.filter(({ name }) => mentioned.has(name)).map((plugin) => plugin.load()),
  );
  return checkConfig(raw, {
    ...{ whole, waiting, faults, source },
    plugins: [...loaded, ...imported],
    unmentioned: bundled.filter(({ name }) => !mentioned.has(name)),
    environment: env,
  });
}

async function importPlugins(
  names: unknown,
  configFile: string,
): Promise<{ plugins: AnyPlugin[]; faults: ConfigFault[] }> {
  if (!Array.isArray(names)) return { plugins: [], faults: [] };
  const from = dirname(realpathSync(configFile));
  const plugins: AnyPlugin[] = [];
  const faults: ConfigFault[] = [];
  for (const [index, name] of names.entries()) {
    if (typeof name !== 'string') continue;
    try {
      const plugin = await importPlugin(name, from, fileURLToPath(appDir));
      const taken = [...bundled, ...plugins].some((other) => other.name === plugin.name);
      if (taken || ownSections.includes(plugin.name) || plugin.name === 'nexus') {
        throw new Error(`plugin "${name}" is named "${plugin.name}", which is taken; rename it`);
      }
      plugins.push(plugin);
    } catch (error) {
      faults.push({ path: `plugins.${index}`, message: (error as Error).message });
    }
  }
  return { plugins, faults };
}
