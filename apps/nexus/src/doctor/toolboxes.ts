import { tryServers } from '../client/try-servers.ts';
import { type LoadedConfig, loadConfig } from '../config/load-config.ts';
import { count } from '../terminal/count.ts';
import type { Check } from './check.ts';
import { findProgram } from './find-program.ts';

/** What can be wrong with the servers of toolboxes; only asked to does it connect to them. */
export const toolboxes: Check = {
  name: 'Toolboxes',
  async run({ config, connect }) {
    const loaded = await loadConfig({ config });
    const { toolboxes } = loaded.toolboxSource;
    if (toolboxes.length === 0) {
      return { status: 'ok', saw: 'none; `nexus import` takes over the servers of a host' };
    }
    const missing = missingCommands(loaded);
    if (missing.length > 0) {
      const fix = 'install it, write its whole path, or set `disabled: true` on the server';
      return { status: 'failed', saw: missing.join('\n      '), fix };
    }
    const servers = toolboxes.reduce((sum, each) => sum + each.servers.length, 0);
    const saw = `${toolboxes.length} with ${count(servers, 'server')}, every command is there`;
    if (!connect) return { status: 'ok', saw: `${saw}; --connect tries each server` };
    const names = toolboxes.map(({ name }) => name);
    const failed = (await tryServers(loaded, names)).filter((trial) => !trial.isOk);
    if (failed.length === 0) return { status: 'ok', saw: `${saw}, and every server answers` };
    return {
      status: 'failed',
      saw: failed.map(({ toolbox, server, reason }) => `${toolbox} / ${server}: ${reason}`).join('\n      '),
      fix: '`nexus toolbox test <name>` tries one toolbox again',
    };
  },
};

function missingCommands({ toolboxSource, projectRoot }: LoadedConfig): string[] {
  return toolboxSource.toolboxes.flatMap(({ name }) => {
    const { mcpServers } = toolboxSource.settings(name, process.env);
    return Object.entries(mcpServers).flatMap(([server, { command, cwd = projectRoot, env }]) => {
      if (command === undefined) return [];
      const isThere = findProgram(command, { cwd, env: { ...process.env, ...env } }) !== undefined;
      return isThere ? [] : [`${name} / ${server}: no program ${command} was found`];
    });
  });
}
