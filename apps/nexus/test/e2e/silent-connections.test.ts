import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bin } from '../harness/app.ts';
import { httpUrl, readToken } from '../harness/http-server.ts';
import { makeProject } from '../harness/project.ts';
import { connectSdkClient } from '../harness/sdk-client.ts';
import { startServer } from '../harness/server-process.ts';
import { verifiesApp } from '../harness/verifies.ts';

const CONNECTIONS = 400;
/** Sets the limit, then becomes the program. */
const LIMITED = 'ulimit -n 256; exec "$0" "$@"';

// Windows has no such limit.
if (process.platform !== 'win32') {
  verifiesApp('silent.bounded', 'lives through 400 silent connections and still runs programs', async () => {
    await using project = await makeProject({ files: { 'a.ts': 'export const needle = 1;' } });
    await using server = startServer(project, {
      command: '/bin/sh',
      args: ['-c', LIMITED, process.execPath, bin, 'serve', '--http', '0'],
    });
    const url = await httpUrl(server);
    const { hostname: host, port } = new URL(url);
    const [folder = ''] = await readdir(project.runtimeDir);
    const inRuntime = await readdir(join(project.runtimeDir, folder));
    const path = join(project.runtimeDir, folder, inRuntime.find((name) => name.endsWith('.sock')) ?? '');
    const sockets: Socket[] = [];
    try {
      for (const where of [{ host, port: Number(port) }, { path }]) {
        for (let count = 0; count < CONNECTIONS; count += 1) {
          const socket = connect(where);
          sockets.push(socket);
          socket.on('error', () => {});
          await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
        }
      }
      const client = await connectSdkClient(url, await readToken(project));
      const result = await client.callTool({ name: 'search_codebase', arguments: { query: 'needle' } });
      expect(result.isError, JSON.stringify(result)).toBeFalsy();
      expect(JSON.stringify(result.structuredContent)).toContain('a.ts');
      await client.close();
      expect(server.child.exitCode).toBe(null);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    server.child.kill('SIGTERM');
  });

  verifiesApp('silent.bounded', 'answers a tool error where no program can be started any more', async () => {
    await using project = await makeProject({ files: { 'a.ts': 'export const needle = 1;' } });
    await using server = startServer(project, {
      command: '/bin/sh',
      args: ['-c', LIMITED, process.execPath, bin, 'serve', '--http', '0'],
    });
    const url = await httpUrl(server);
    const token = await readToken(project);
    const first = await connectSdkClient(url, token);
    const call = () => first.callTool({ name: 'search_codebase', arguments: { query: 'needle' } });
    // Its code is loaded while files can be opened: what is looked at is the program that it starts.
    await call();
    const { hostname: host, port } = new URL(url);
    const sockets: Socket[] = [];
    try {
      // These have shown the token, so none is put out: they take what descriptors there are.
      for (let count = 0; count < CONNECTIONS; count += 1) {
        const socket = connect({ host, port: Number(port) });
        sockets.push(socket);
        socket.on('error', () => {});
        await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
        const head = `GET /metrics HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`;
        socket.write(head);
        if ((await Promise.race([once(socket, 'data'), once(socket, 'close')])).length === 0) break;
        if (count > 210) break;
      }
      const answers = await Promise.allSettled(Array.from({ length: 12 }, call));
      const told = JSON.stringify(
        answers.map((each) => (each.status === 'fulfilled' ? each.value : each.reason)),
      );
      // Some find no connection any more; those that do have a tool error to go by.
      expect(told).toContain('lets this server start no more programs');
      expect(told).not.toContain('-32603');
      expect(server.child.exitCode, server.stderr()).toBe(null);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    server.child.kill('SIGTERM');
  });
}
