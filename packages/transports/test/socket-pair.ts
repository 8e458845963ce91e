import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Two ends of one real local socket (a named pipe on Windows). */
export async function socketPair(): Promise<{ near: Socket; far: Socket; dispose(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'nexus-pair-'));
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\${folder}` : join(folder, 'pair.sock');
  const server = createServer({ allowHalfOpen: true });
  server.listen(path);
  await once(server, 'listening');
  const far = connect(path);
  const [near] = (await once(server, 'connection')) as [Socket];
  return {
    near,
    far,
    async dispose() {
      near.destroy();
      far.destroy();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
