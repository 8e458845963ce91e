import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';

/** Passes connections on as a pooler does that is told to ignore the startup setting `options`. */
export async function poolerWithoutOptions(databaseUrl: string): Promise<{ url: string; stop(): void }> {
  const folder = new URL(databaseUrl).searchParams.get('host') ?? '';
  const server = createServer((near) => {
    const far = connect(join(folder, '.s.PGSQL.5432'));
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.once('data', (startup) => {
      far.write(withoutOptions(startup));
      near.pipe(far);
    });
    far.pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.search = '';
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, stop: () => void server.close() };
}

/** The first message: its length, the protocol's version, then names and values, each ended by a zero. */
function withoutOptions(startup: Buffer): Buffer {
  const words = startup.subarray(8).toString('utf8').split('\0');
  const at = words.indexOf('options');
  if (at >= 0) words.splice(at, 2);
  const rest = Buffer.from(words.join('\0'));
  const head = Buffer.from(startup.subarray(0, 8));
  head.writeInt32BE(8 + rest.length, 0);
  return Buffer.concat([head, rest]);
}
