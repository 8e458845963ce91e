import { fileURLToPath } from 'node:url';
import { ANSWER_MS, endsWithin } from '@nexus/core';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { withServerByCommand } from '../client/by-command.ts';
import { type Client, listTools } from '../client/connect-to-nexus.ts';
import { loadConfig } from '../loaded-config/load-config.ts';
import { createLog } from '../log.ts';
import { noProjectFault } from '../project/no-project.ts';
import { appDir } from '../version.ts';
import type { Check } from './check.ts';

const START_TIMEOUT_MS = 20_000;
/** Tools worth a try, each with arguments that change nothing; the first that the server has is called. */
const PROBES = [
  ['search_codebase', { query: 'the', limit: 1 }],
  ['memory_stats', {}],
] as const;
/** Where there is no project nothing is searched; that there is none is told by the check of the config. */
const PROBES_ANYWHERE = PROBES.slice(1);

/** Starts the real server as a host would, lists its tools, calls one, and sees it end. */
export const liveServer: Check = {
  name: 'Server',
  async run({ config }) {
    const bin = fileURLToPath(new URL('bin/nexus.js', appDir));
    const args = [bin, '--mode=server', '--standalone', ...(config ? ['--config', config] : [])];
    const startedAt = Date.now();
    try {
      const { projectRoot } = await loadConfig({ config });
      const probes = noProjectFault(projectRoot) === undefined ? PROBES : PROBES_ANYWHERE;
      return await withServerByCommand(
        {
          command: [process.execPath, ...args],
          serverName: 'nexus',
          clientName: 'nexus-doctor',
          log: createLog('silent'),
          timeoutMs: START_TIMEOUT_MS,
          // It is this Nexus once more, and needs what this one has.
          inherits: Object.keys(process.env),
        },
        async (connection) => {
          const signal = AbortSignal.timeout(START_TIMEOUT_MS);
          const tools = await listTools(connection);
          const startMs = Date.now() - startedAt;
          const probe = probes.find(([name]) => tools.some((tool) => tool.name === name));
          const called = probe
            ? await callProbe(connection, probe, signal)
            : 'none of the known tools to call';
          await connection.close();
          const { exitCode } = await connection.closed;
          return {
            status: exitCode === 0 ? 'ok' : 'warning',
            saw: `started in ${startMs} ms, ${counted(tools.length, 'tool')}, ${called}, exit code ${exitCode}`,
            ...(exitCode === 0
              ? {}
              : {
                  fix: 'run `nexus doctor` once more: on a busy machine a server may end late and be ended by force',
                }),
          };
        },
      );
    } catch (error) {
      return {
        status: 'failed',
        saw: (error as Error).message.replaceAll('\n', '\n      '),
        fix: `run \`node ${args.join(' ')} --verbose\` and read what it says`,
      };
    }
  },
};

async function callProbe(
  client: Client,
  [name, args]: (typeof PROBES)[number],
  signal: AbortSignal,
): Promise<string> {
  const answer = await client.request(
    'tools/call',
    { name, arguments: args },
    { signal: endsWithin(ANSWER_MS, signal) },
  );
  const result = answer as unknown as ToolCallResult;
  if (result.isError) throw new Error(`${name} answered with an error: ${result.content[0]?.text}`);
  return `${name} answered`;
}
