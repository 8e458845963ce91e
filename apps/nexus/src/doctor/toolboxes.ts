import { counted } from '@nexus/primitives';
import { withOwnNexus } from '../client/with-own-nexus.ts';
import { lackingServers } from '../loaded-config/lacking-servers.ts';
import { loadConfig } from '../loaded-config/load-config.ts';
import type { Check } from './check.ts';

/** What can be wrong with the servers of toolboxes; only asked to does it connect to them. */
export const toolboxes: Check = {
  name: 'Toolboxes',
  async run({ config, connect }) {
    const loaded = await loadConfig({ config });
    const { toolboxes } = loaded.toolboxSource;
    if (toolboxes.length === 0) {
      return { status: 'ok', saw: 'none; `nexus import` takes over the servers of a host' };
    }
    const lacking = lackingServers(loaded, process.env);
    if (lacking.length > 0 && !connect) {
      const saw = lacking.map(({ toolbox, server, reason }) => `${toolbox} / ${server}: ${reason}`);
      return {
        status: 'failed',
        saw: saw.join('\n      '),
        fix: 'mend each; the other servers work without them',
        isAlone: true,
      };
    }
    const servers = toolboxes.reduce((sum, each) => sum + each.servers.length, 0);
    const saw = `${toolboxes.length} with ${counted(servers, 'server')}, every command is there`;
    if (!connect) return { status: 'ok', saw: `${saw}; --connect tries each server` };
    const trials = await withOwnNexus(loaded, ({ downstreams }) =>
      downstreams.tryServers({ environment: process.env }),
    );
    const failed = trials.filter((trial) => !trial.isOk);
    if (failed.length === 0) return { status: 'ok', saw: `${saw}, and every server answers` };
    return {
      status: 'failed',
      saw: failed.map(({ toolbox, server, reason }) => `${toolbox} / ${server}: ${reason}`).join('\n      '),
      fix: '`nexus toolbox test <name>` tries one toolbox again',
    };
  },
};
