import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { bin } from '../harness/app.ts';
import { httpUrl, readToken } from '../harness/http-server.ts';
import { makeProject } from '../harness/project.ts';
import { runNexus } from '../harness/run-nexus.ts';
import { connectSdkClient } from '../harness/sdk-client.ts';
import { startServer } from '../harness/server-process.ts';
import { slowlyVerifiesApp, verifiesApp } from '../harness/verifies.ts';

const CONNECTIONS = 400;
/** Sets the limit, then becomes the program. */
const LIMITED = 'ulimit -n 256; exec "$0" "$@"';

/** A newcomer may be told to come back while those that are there have not had their time to speak. */
async function connected(url: string, token: string): ReturnType<typeof connectSdkClient> {
  const until = Date.now() + 20_000;
  for (;;) {
    try {
      return await connectSdkClient(url, token);
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

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
      const client = await connected(url, await readToken(project));
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

  slowlyVerifiesApp(
    'silent.bounded',
    'keeps files for work where every connection has shown the token',
    async () => {
      await using project = await makeProject({ files: { 'a.ts': 'export const needle = 1;' } });
      await using server = startServer(project, {
        command: '/bin/sh',
        args: ['-c', LIMITED, process.execPath, bin, 'serve', '--http', '0'],
      });
      const url = await httpUrl(server);
      const token = await readToken(project);
      const first = await connectSdkClient(url, token);
      const { hostname: host, port } = new URL(url);
      const sockets: Socket[] = [];
      try {
        // These have shown the token, so none is put out: those that would take the last descriptors are turned away.
        const show = async () => {
          const socket = connect({ host, port: Number(port) });
          sockets.push(socket);
          socket.on('error', () => {});
          await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
          socket.write(`GET /metrics HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`);
          const [said] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
          return String(said).startsWith('HTTP/1.1 200');
        };
        let isFull = false;
        for (let count = 0; count < CONNECTIONS && !isFull; count += 20)
          isFull = (await Promise.all(Array.from({ length: 20 }, show))).includes(false);
        expect(isFull).toBe(true);
        const log = () => readFile(join(project.dataDir, 'logs', 'nexus.jsonl'), 'utf8');
        await expect.poll(log).toContain('ulimit -n');
        // A host of this machine still comes in, by the socket.
        const asked = await runNexus(project, ['call', 'search_codebase', 'query=needle']);
        expect(asked.stdout, asked.stderr).toContain('a.ts');
        // Room for the client's own connections; the code of this tool was never loaded before.
        for (const socket of sockets.slice(0, 12)) socket.destroy();
        await expect.poll(show).toBe(true);
        const call = () => first.callTool({ name: 'search_codebase', arguments: { query: 'needle' } });
        const answers = await Promise.all([call(), call(), call(), call()]);
        for (const answer of answers) expect(JSON.stringify(answer)).toContain('a.ts');
        expect(server.child.exitCode, server.stderr()).toBe(null);
      } finally {
        for (const socket of sockets) socket.destroy();
      }
      server.child.kill('SIGTERM');
    },
  );
}
