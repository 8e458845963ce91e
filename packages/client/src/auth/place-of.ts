import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Where on the network something is, as far as it matters to who may reach it. */
export type Place = 'loopback' | 'link-local' | 'private' | 'public';

const SUBNETS = {
  loopback: ['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'],
} as const satisfies Partial<Record<Place, readonly string[]>>;

const places = Object.entries(SUBNETS).map(([place, subnets]) => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return { place: place as keyof typeof SUBNETS, list };
});

/** The places of all addresses of the URL's host; a name that nothing is known of counts as public. */
export async function placesOf({ hostname }: URL): Promise<ReadonlySet<Place>> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) > 0 ? [{ address: host }] : await lookup(host, { all: true }).catch(() => []);
  return new Set(addresses.map(({ address }) => placeOf(address)));
}

function placeOf(address: string): Place {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  return places.find(({ list }) => list.check(address, family))?.place ?? 'public';
}
