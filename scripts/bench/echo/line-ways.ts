import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type At, hostEnvironment, initialize, type StdioServer, startStdioServer } from '../servers.ts';
import { assertEchoed, type EchoServer, MESSAGE } from './echo-server.ts';

/** A call of the tool in the words of whoever is asked. */
type ToolCall = { readonly name: string; readonly arguments: object };

export const ECHO: ToolCall = { name: 'echo', arguments: { message: MESSAGE } };

/** The server itself, or a process that passes calls on to it by stdio. */
export async function overStdio(
  args: readonly string[],
  at: At & { command?: string },
  call = ECHO,
): Promise<EchoServer> {
  const server = await startStdioServer(args, at);
  return { echo: echoBy(server.request, call), pid: server.pid, stop: server.stop };
}

/** A floor: one shared child behind a Unix socket, with nothing but a relay between. */
export async function overRelay(
  fixture: 'relay' | 'reading-relay',
  serverArgs: readonly string[],
  { cwd }: At,
): Promise<EchoServer> {
  const path = join(cwd, `${fixture}.sock`);
  const program = fileURLToPath(new URL(`../fixtures/${fixture}.mjs`, import.meta.url));
  const relay = spawn(process.execPath, [program, path, ...serverArgs], {
    env: hostEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await once(relay.stderr, 'data');
  const socket = connect(path);
  const request = await initialize(socket, socket);
  return {
    echo: echoBy(request, ECHO),
    pid: Number(relay.pid),
    async stop() {
      socket.destroy();
      await end(relay);
    },
  };
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

function echoBy(request: StdioServer['request'], call: ToolCall): EchoServer['echo'] {
  return async () => assertEchoed(JSON.stringify(await request('tools/call', call)));
}
