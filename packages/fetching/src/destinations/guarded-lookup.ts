import { promises as dns, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { notPublic } from './destination.ts';
import { isPublic } from './is-public.ts';

/** What a name stands for. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export const resolveBySystem: Resolve = (hostname) => dns.lookup(hostname, { all: true, order: 'verbatim' });

/**
 * Looks a name up as it is dialled, and gives the dialler what was checked: a name that stands for another address
 * a moment later is dialled at the first. A name that also stands for one address inside is refused whole.
 * @param isOpen whether the config lets what is dialled be reached wherever its name leads
 */
export function guardedLookup(resolve: Resolve, isOpen: boolean): LookupFunction {
  return (hostname, options, callback) => {
    const answer = async () => {
      const addresses = await resolve(hostname);
      const inside = addresses.find(({ address }) => !isPublic(address));
      if (inside && !isOpen) throw notPublic(hostname, inside.address);
      return addresses;
    };
    answer().then(
      (addresses) => {
        if (options.all) return callback(null, [...addresses]);
        const [first] = addresses;
        if (first) return callback(null, first.address, first.family);
        return callback(Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' }), '');
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}
