import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectServer } from '@nexus/client';
import { JSON_RPC, ProtocolError } from '@nexus/core';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import { createWatchdog } from '@nexus/processes';
import { jsonLinesChannel } from '@nexus/transports/json-lines';
import { type Client, listTools } from '../client/connect-to-nexus.ts';
import { createLog } from '../log.ts';
import { count } from '../terminal/count.ts';
import { appDir, version } from '../version.ts';
import type { Check } from './check.ts';

const START_TIMEOUT_MS = 20_000;
/** Tools worth a try, each with arguments that change nothing; the first that the server has is called. */
const PROBES = [
  ['search_codebase', { query: 'the', limit: 1 }],
  ['memory_stats', {}],
] as const;

/** Starts the real server as a host would, lists its tools, calls one, and sees it end. */
export const liveServer: Check = {
  name: 'Server',
  async run({ config }) {
    const bin = fileURLToPath(new URL('bin/nexus.js', appDir));
    const args = [bin, '--mode=server', '--standalone', ...(config ? ['--config', config] : [])];
    const startedAt = Date.now();
    const watchdog = createWatchdog();
    try {
      const connection = await connectServer(
        { transport: 'stdio', command: process.execPath, args, env: {}, headers: {} },
        {
          serverName: 'nexus',
          clientInfo: { name: 'nexus-doctor', version },
          capabilities: {},
          listener: { notification() {}, request: refuse },
          log: createLog('silent'),
          timeoutMs: START_TIMEOUT_MS,
          // As a host that has this environment would start it.
          inherits: 'all',
          projectRoot: process.cwd(),
          openLines: jsonLinesChannel,
          watchdog,
          authFolder: join(tmpdir(), 'nexus-no-auth'),
        },
      );
      const signal = AbortSignal.timeout(START_TIMEOUT_MS);
      try {
        const tools = await listTools(connection);
        const startMs = Date.now() - startedAt;
        const probe = PROBES.find(([name]) => tools.some((tool) => tool.name === name));
        const called = probe ? await callProbe(connection, probe, signal) : 'none of the known tools to call';
        await connection.close();
        const { exitCode } = await connection.closed;
        return {
          status: exitCode === 0 ? 'ok' : 'warning',
          saw: `started in ${startMs} ms, ${count(tools.length, 'tool')}, ${called}, exit code ${exitCode}`,
        };
      } finally {
        await connection.close();
      }
    } catch (error) {
      return {
        status: 'failed',
        saw: (error as Error).message.replaceAll('\n', '\n      '),
        fix: `run \`node ${args.join(' ')} --verbose\` and read what it says`,
      };
    } finally {
      watchdog.close();
    }
  },
};

async function callProbe(
  client: Client,
  [name, args]: (typeof PROBES)[number],
  signal: AbortSignal,
): Promise<string> {
  const answer = await client.request('tools/call', { name, arguments: args }, { signal });
  const result = answer as unknown as ToolCallResult;
  if (result.isError) throw new Error(`${name} answered with an error: ${result.content[0]?.text}`);
  return `${name} answered`;
}

async function refuse(method: string): Promise<never> {
  throw new ProtocolError(JSON_RPC.methodNotFound, `the doctor does not offer ${method}`);
}
