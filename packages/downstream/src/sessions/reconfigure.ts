import type { ToolboxSource } from '../downstreams.ts';
import type { Offer } from '../offers/offer.ts';
import { offerFor, type Workplace } from '../workplace.ts';
import { closeToolbox } from './open-toolbox.ts';
import { registerTools } from './register-tools.ts';
import { type Session, tell } from './session.ts';
import { isAutoOpen, type OpenUnasked, openOrTell } from './session-start.ts';

/**
 * Takes a changed config over for every session: a toolbox that is gone is closed, one that changed is opened
 * anew, one that opens by itself is opened, and what did not change is not touched. Connections whose
 * settings are equal stay, whatever else changed around them.
 */
export async function reconfigure(
  place: Workplace,
  { source, open }: { source: ToolboxSource; open: OpenUnasked },
): Promise<void> {
  const modeChanged = place.source.toolMode !== source.toolMode;
  place.source = source;
  const sessions = [...place.sessions.all()];
  await Promise.all(sessions.map((session) => changeSession(place, session, { modeChanged, open })));
  place.offers.keep(
    sessions.flatMap(({ open: opened, offers }) => [
      ...offers.values(),
      ...[...opened.values()].map((each) => each.offer),
    ]),
  );
}

async function changeSession(
  place: Workplace,
  session: Session,
  { modeChanged, open }: { modeChanged: boolean; open: OpenUnasked },
): Promise<void> {
  session.offers.clear();
  // What is being opened still is opened with the settings before.
  await Promise.all([...session.opening.values()].map(({ settled }) => settled));
  const names = place.source.toolboxes.map(({ name }) => name);
  const work: Promise<void>[] = [];
  for (const toolbox of new Set([...session.open.keys(), ...session.reached.keys()])) {
    const offer = names.includes(toolbox) ? newOffer(place, session, toolbox) : undefined;
    work.push(change(place, session, { toolbox, offer, modeChanged, open }));
  }
  for (const toolbox of names) {
    if (session.open.has(toolbox) || !isAutoOpen(place, session, toolbox)) continue;
    work.push(openOrTell(place, session, { toolbox, open }));
  }
  await Promise.all(work);
}

function newOffer(place: Workplace, session: Session, toolbox: string): Offer | undefined {
  try {
    return offerFor(place, session, toolbox);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const text = `Toolbox "${toolbox}" was closed, since its changed settings can’t be used: ${why}`;
    place.log.warn(text);
    tell(session, 'notifications/message', { level: 'warning', logger: 'toolboxes', data: text });
    return undefined;
  }
}

async function change(
  place: Workplace,
  session: Session,
  how: { toolbox: string; offer: Offer | undefined; modeChanged: boolean; open: OpenUnasked },
): Promise<void> {
  const { toolbox, offer, modeChanged, open } = how;
  const before = session.open.get(toolbox);
  if (before && offer && before.offer.key === offer.key) {
    if (modeChanged) registerTools(place, session, offer);
    return;
  }
  if (before && offer) {
    await openOrTell(place, session, { toolbox, open });
    if (session.open.get(toolbox) !== before) return;
  }
  closeToolbox(place, session, toolbox);
  await place.openToolboxes.remove(session.id, toolbox);
}
