import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import { jsonLinesChannel } from '@nexus/transports/json-lines';
import { listTools } from '../client/connect.ts';
import { connectRpc } from '../client/rpc-client.ts';
import { createLog } from '../log.ts';
import { count } from '../terminal/count.ts';
import { appDir } from '../version.ts';
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
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const stderr: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => stderr.push(String(chunk)));
    const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
    const exited = once(child, 'exit');
    try {
      const client = await connectRpc(
        jsonLinesChannel({
          kind: 'doctor',
          readable: child.stdout,
          writable: child.stdin,
          log: createLog('silent'),
        }),
      );
      const tools = await listTools(client);
      const startMs = Date.now() - startedAt;
      const probe = PROBES.find(([name]) => tools.some((tool) => tool.name === name));
      const called = probe ? await callProbe(client, probe) : 'none of the known tools to call';
      await client.close();
      const [code] = await exited;
      return {
        status: code === 0 ? 'ok' : 'warning',
        saw: `started in ${startMs} ms, ${count(tools.length, 'tool')}, ${called}, exit code ${code}`,
      };
    } catch (error) {
      const said = stderr.join('').trim().split('\n').slice(-5).join('\n      ');
      return {
        status: 'failed',
        saw: `${(error as Error).message}${said ? `; it said:\n      ${said}` : ''}`,
        fix: `run \`node ${args.join(' ')} --verbose\` and read what it says`,
      };
    } finally {
      clearTimeout(timer);
      if (child.exitCode === null) child.kill('SIGKILL');
    }
  },
};

async function callProbe(
  client: { request(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>> },
  [name, args]: (typeof PROBES)[number],
): Promise<string> {
  const result = (await client.request('tools/call', { name, arguments: args })) as unknown as ToolCallResult;
  if (result.isError) throw new Error(`${name} answered with an error: ${result.content[0]?.text}`);
  return `${name} answered`;
}
