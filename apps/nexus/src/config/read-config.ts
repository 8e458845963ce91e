import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnyPlugin } from '@nexus/plugin-sdk';
import { bundled } from '../boot/bundled.ts';
import { importPlugin } from '../boot/import-plugin.ts';
import type { Trust } from '../trust/trust.ts';
import { appDir } from '../version.ts';
import type { ConfigFault } from './config-fault.ts';
import { ownSections } from './default-config.ts';
import { expandConfig } from './expand-config.ts';
import { mentionedPlugins } from './mentioned-plugins.ts';
import { withOwnRestrictions } from './own-restrictions.ts';
import type { ParsedConfig } from './parse.ts';
import { plainConfig } from './plain-config.ts';
import type { RawConfig } from './raw-config.ts';

export { toolboxSource } from './toolbox-source.ts';

interface Reading {
  readonly configFile: string;
  /** The file, whole. */
  readonly whole: RawConfig;
  /** The user's own file, where another counts. */
  readonly own: RawConfig | undefined;
  readonly trust: Trust;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Checks what a file says, and imports the plugins it names.
 * @throws {ConfigError} all faults at once
 */
export async function readConfig({ configFile, whole, own, trust, env }: Reading): Promise<{
  readonly parsed: ParsedConfig;
  readonly imported: readonly AnyPlugin[];
}> {
  const raw = own ? withOwnRestrictions(trust.used, own) : trust.used;
  const imported = await importPlugins(expandConfig(raw, env).expanded.plugins, configFile);
  const mentioned = mentionedPlugins(raw, bundled);
  const saysOnlyOurs = mentioned.size === 0 && raw.plugins === undefined && raw.mcp === undefined;
  if (saysOnlyOurs && trust.waiting.length === 0) {
    const toolNames = new Set(bundled.flatMap(({ tools }) => tools).map(({ name }) => name));
    const parsed = plainConfig(raw, { toolNames, environment: env });
    if (parsed) return { parsed, imported: [] };
  }
  const { checkConfig } = await import('./check-config.ts');
  const loaded = await Promise.all(
    bundled.filter(({ name }) => mentioned.has(name)).map((plugin) => plugin.load()),
  );
  const parsed = await checkConfig(raw, {
    whole,
    waiting: trust.waiting,
    plugins: [...loaded, ...imported.plugins],
    unmentioned: bundled.filter(({ name }) => !mentioned.has(name)),
    environment: env,
    faults: imported.faults,
    source: configFile,
  });
  return { parsed, imported: imported.plugins };
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
