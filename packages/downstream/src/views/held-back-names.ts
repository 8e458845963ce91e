import type { Offers } from '../catalogue/offers.ts';
import { heldBackText } from '../definitions/held-back.ts';
import type { Session } from '../sessions/session.ts';

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
