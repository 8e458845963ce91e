import { findTool, missingTool } from '../catalogue/find-offered.ts';
import type { KnownLists } from '../catalogue/known-lists.ts';
import type { Offers } from '../catalogue/offers.ts';
import { heldBackText } from '../definitions/held-back.ts';
import type { Session } from '../sessions/session.ts';

interface Sources {
  readonly offers: Offers;
  readonly lists: Pick<KnownLists, 'get' | 'load'>;
}

/** Of every tool that is held back, by each name that it would have, why. */
export function heldBackNames(offers: Offers, session: Session): ReadonlyMap<string, string> {
  return new Map(
    offers.all(session.environment).offers.flatMap((offer) =>
      offer.tools().held.flatMap(({ server, tool, names }) => {
        const text = heldBackText({ toolbox: offer.toolbox, server, tool });
        return names.map((name) => [name, text] as const);
      }),
    ),
  );
}

/** Why a tool of that origin can't be called, as far as the lists that are known say it. */
export async function whyNot({ offers, lists }: Sources, session: Session, origin: string) {
  const places = offers.outlines().flatMap(({ name: toolbox, servers }) => {
    const its = servers.filter((server) => origin.startsWith(`${toolbox}__${server}__`));
    return its.map((server) => ({ toolbox, server, tool: origin.slice(`${toolbox}__${server}__`.length) }));
  });
  let why: string | undefined;
  for (const address of places) {
    const [offer] = await offers.prepare(session.environment, [address.toolbox]);
    const server = offer?.servers.find((each) => each.server === address.server);
    if (!offer || !server) return undefined;
    if (!lists.get(server)) await lists.load([server]);
    if (!lists.get(server) || findTool(offer, address)) return undefined;
    why = missingTool(offer, address).message;
  }
  return why;
}
