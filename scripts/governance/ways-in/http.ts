import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { appCommand } from './app-process.ts';
import { connectClient } from './connect-client.ts';
import { createScratchProject } from './scratch-project.ts';
import type { WayIn } from './way-in.ts';

/** The built server in a process of its own, reached by URL and token. */
export const http: WayIn = {
  name: 'http',
  async open() {
    const scratch = createScratchProject();
    const { command, args, ...options } = appCommand(scratch, ['serve', '--http', '0']);
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'inherit', 'pipe'] });
    const exited = once(child, 'exit');
    const url = await readUrl(child);
    const token = (await readFile(join(scratch.dataDir, 'http-token'), 'utf8')).trim();
    const headers = { authorization: `Bearer ${token}` };
    const client = await connectClient(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    );
    return {
      send: client.send,
      async [Symbol.asyncDispose]() {
        await client.close();
        child.kill();
        await exited;
        scratch[Symbol.dispose]();
      },
    };
  },
};

/** @throws {Error} with all that the server said, where it ends before it serves */
function readUrl({ stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, url] = /^HTTP: (\S+) /m.exec(said) ?? [];
      if (url) resolve(url);
    });
    stderr?.once('end', () => reject(new Error(`the server did not open HTTP; it said: ${said}`)));
  });
}
