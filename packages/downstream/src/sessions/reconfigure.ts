import type { Log } from '@nexus/plugin-sdk';
import type { Offer } from '../catalogue/offer.ts';
import type { Offers } from '../catalogue/offers.ts';
import type { ToolboxSource } from '../downstreams.ts';
import type { Holdings } from './holdings.ts';
import type { Openings } from './openings.ts';
import type { Session, Sessions } from './session.ts';
import { type Unasked, warn } from './unasked.ts';

export interface Reconfiguring {
  readonly offers: Offers;
  readonly sessions: Sessions;
  readonly holdings: Holdings;
  readonly openings: Openings;
  readonly unasked: Unasked;
  readonly log: Log;
}

/**
 * Takes a changed config over for every session: a toolbox that is gone is closed, one that changed is opened
 * anew, one that opens by itself is opened, and what did not change is not touched. Connections whose
 * settings are equal stay, whatever else changed around them.
 */
export async function reconfigure(
  { offers, sessions, holdings, openings, unasked, log }: Reconfiguring,
  source: ToolboxSource,
): Promise<void> {
  const modeChanged = offers.source.toolMode !== source.toolMode;
  offers.replace(source);
  const names = new Set(source.toolboxes.map(({ name }) => name));
  await Promise.all([...sessions.all()].map(changeSession));

  async function changeSession(session: Session): Promise<void> {
    // What is being opened still is opened with the settings before.
    await openings.settled(session);
    const toolboxes = new Set([...session.holdings.keys(), ...names]);
    await Promise.all([...toolboxes].map((toolbox) => change(session, toolbox)));
  }

  async function change(session: Session, toolbox: string): Promise<void> {
    const before = session.holdings.get(toolbox);
    const offer = before && names.has(toolbox) ? offerNow(session, toolbox) : undefined;
    if (before?.state === 'open' && offer) {
      if (before.offer.key !== offer.key) await openAnew(session, toolbox);
      else if (modeChanged) holdings.refresh(session, toolbox);
      return;
    }
    if (before) await openings.close(session, toolbox);
    if (before?.state === 'open' || !names.has(toolbox)) return;
    if (unasked.isWanted(session, toolbox)) await unasked.open(session, toolbox);
  }

  async function openAnew(session: Session, toolbox: string): Promise<void> {
    if (!(await unasked.open(session, toolbox))) await openings.close(session, toolbox);
  }

  function offerNow(session: Session, toolbox: string): Offer | undefined {
    try {
      return offers.of(toolbox, session.environment);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const text = `Toolbox "${toolbox}" was closed, since its changed settings can’t be used: ${why}`;
      log.warn(text);
      warn(session, text);
      return undefined;
    }
  }
}
