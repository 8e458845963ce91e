import type { AnyPlugin } from '@nexus/plugin-sdk';
import type { Config } from '../config/schema.ts';

/** What the host's model is told at initialize: the config's own words, then what is here. */
export function describeServer(config: Config, plugins: readonly AnyPlugin[]): string {
  const tools = plugins.flatMap((plugin) => plugin.tools).map(({ name }) => name);
  const own = [
    `Nexus serves ${tools.length} tools to every agent of this project.`,
    ...(tools.includes('bundle')
      ? ['Send several read-only calls as one with bundle: they run in parallel and cost one turn.']
      : []),
  ].join(' ');
  return [config.server.instructions, own].filter(Boolean).join('\n\n');
}
