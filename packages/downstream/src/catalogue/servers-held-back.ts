import { heldBackReason } from '../definitions/held-back.ts';
import type { OfferedServer } from '../server-address.ts';
import type { KnownLists } from './known-lists.ts';
import { filterOf } from './offer-tools.ts';

/**
 * Servers of which tools are held back, since they are not described as they were when they were pinned, with the way on.
 * What the server says of them by now is told to nobody but whoever looks at the pins.
 */
export function heldBackOf(
  servers: readonly OfferedServer[],
  lists: Pick<KnownLists, 'get'>,
): {
  readonly toolbox: string;
  readonly server: string;
  readonly reason: string;
}[] {
  return servers.flatMap((address) => {
    const known = lists.get(address);
    if (!known || known.pending.size === 0) return [];
    const { toolbox, server, settings } = address;
    const isWanted = filterOf(settings, known, () => {});
    const tools = known.tools
      .map(({ name }) => name)
      .filter((name) => known.pending.has(name) && isWanted(name));
    return tools.length === 0 ? [] : [{ toolbox, server, reason: heldBackReason(tools) }];
  });
}
