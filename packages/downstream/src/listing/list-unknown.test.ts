import { expect, it } from 'vitest';
import type { Lease } from '../leases/lease.ts';
import { offeredServer } from '../server-address.ts';
import { createUnknownServers } from './list-unknown.ts';

it('lists four servers at a time, each once, whoever asks', async () => {
  const servers = Array.from({ length: 9 }, (_, at) =>
    offeredServer('box', `s${at}`, {
      transport: 'stdio',
      command: `program-${at}`,
      args: [],
      env: {},
      headers: {},
      toolFilters: [],
      tools: {},
      isolation: 'shared',
    }),
  );
  const asked: string[] = [];
  let open = 0;
  let most = 0;
  const unknown = createUnknownServers(
    (address) => {
      asked.push(address.server);
      open += 1;
      most = Math.max(most, open);
      // Of a lease, all that listing needs.
      const lease: Pick<Lease, 'address' | 'open' | 'giveUp'> = {
        address,
        open: () => new Promise((resolve) => setImmediate(resolve)),
        giveUp() {
          open -= 1;
        },
      };
      return lease as Lease;
    },
    { get: () => undefined },
  );
  const { signal } = new AbortController();
  const lists = [unknown.list('one', servers, signal), unknown.list('other', servers, signal)];
  expect((await Promise.all(lists)).map((unreachable) => unreachable.length)).toEqual([9, 9]);
  expect(most).toBe(4);
  expect(asked).toEqual(servers.map(({ server }) => server));
});
