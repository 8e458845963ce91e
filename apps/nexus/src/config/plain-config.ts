import { configSchema } from './config-schema.ts';
import { expandConfig } from './expand-config.ts';
import type { Environment } from './expansion/index.ts';
import { httpFault } from './http-rules.ts';
import type { ParsedConfig } from './parse.ts';
import { checkPlainly } from './plain-check.ts';
import type { RawConfig } from './raw-config.ts';
import type { Config } from './schema.ts';
import { serverFaults } from './server-rules.ts';
import { serversInNeed } from './servers-in-need.ts';
import { withoutPaths } from './without-paths.ts';

/**
 * The config where it is right and plain: no plugin's section, no older block, nothing wrong. As `parseConfig`
 * has it, without what it takes to say what is wrong.
 */
export function plainConfig(
  raw: RawConfig,
  { toolNames, environment }: { readonly toolNames: ReadonlySet<string>; readonly environment: Environment },
): ParsedConfig | undefined {
  const { expanded, missing } = expandConfig(withoutPaths(raw, serversInNeed(raw, environment)), environment);
  const { value, doubts } = checkPlainly(configSchema, expanded);
  if (missing.length > 0 || doubts.length > 0) return undefined;
  const config = value as Config; // no doubts
  const isRight =
    httpFault(config.http) === undefined &&
    Object.entries(config.toolboxes).every(
      ([name, { mcpServers }]) =>
        name !== 'nexus' && Object.values(mcpServers).every((server) => serverFaults(server).length === 0),
    ) &&
    Object.keys(config.tools).every((name) => toolNames.has(name));
  return isRight ? { config, pluginOptions: {}, written: raw, notes: [] } : undefined;
}
