import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** Passes one machine's connections on to Postgres, until it is told not to. */
export interface PostgresProxy extends AsyncDisposable {
  /** The address of the database by way of it. */
  readonly url: string;
  /** Breaks every connection; new ones are taken. */
  cut(): void;
  /** Passes nothing on for so long, as a cable that is pulled: nobody is told. */
  silence(ms: number): void;
}

export async function openProxy(databaseUrl: string): Promise<PostgresProxy> {
  const folder = new URL(databaseUrl).searchParams.get('host') ?? '';
  const pairs = new Set<readonly [Socket, Socket]>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(join(folder, '.s.PGSQL.5432'));
    const pair = [near, far] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const [from, to] of [pair, [far, near]] as const) {
      from.on('error', end).on('close', end);
      from.pipe(to);
    }
    if (isSilent) hush(pair);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const hush = ([near, far]: readonly [Socket, Socket]) => {
    near.unpipe(far).pause();
    far.unpipe(near).pause();
  };
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cut = () => {
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    url: url.href,
    cut,
    silence(ms) {
      isSilent = true;
      for (const pair of pairs) hush(pair);
      setTimeout(() => {
        isSilent = false;
        // What was held back is passed on, as packets that were lost are sent again.
        for (const [near, far] of pairs) {
          near.pipe(far);
          far.pipe(near);
        }
      }, ms);
    },
    async [Symbol.asyncDispose]() {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
