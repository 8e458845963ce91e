import type { Registry } from '@nexus/core';
import { type Log, nearestNames, ToolError } from '@nexus/plugin-sdk';
import type { ToolboxSource } from './downstreams.ts';
import type { Leases } from './leases/leases.ts';
import type { KnownLists } from './lists/known-lists.ts';
import type { Offer, Offers } from './offers/offer.ts';
import type { Session, Sessions } from './sessions/session.ts';
import type { OpenToolboxes } from './store/open-toolboxes.ts';

/** What all work on toolboxes is done with. */
export interface Workplace {
  source: ToolboxSource;
  readonly registry: Registry;
  readonly log: Log;
  readonly sessions: Sessions;
  readonly offers: Offers;
  readonly lists: KnownLists;
  readonly leases: Leases;
  readonly openToolboxes: OpenToolboxes;
}

/**
 * A toolbox as a session has it: its settings expanded with the variables of its host.
 * @throws {ToolError} NEXUS_NOT_FOUND naming the nearest; a variable that is not set
 */
export function offerFor({ source, offers }: Workplace, session: Session, toolbox: string): Offer {
  const known = session.offers.get(toolbox);
  if (known) return known;
  const names = source.toolboxes.map(({ name }) => name);
  if (!names.includes(toolbox)) throw noToolbox(toolbox, names);
  const offer = offers.of(toolbox, source.settings(toolbox, session.environment));
  session.offers.set(toolbox, offer);
  return offer;
}

function noToolbox(toolbox: string, names: readonly string[]): ToolError {
  const nearest = nearestNames(toolbox, names);
  const hint =
    nearest.length > 0
      ? `did you mean ${nearest.join(' or ')}?`
      : `the config has ${names.length === 0 ? 'none' : names.join(', ')}`;
  return new ToolError('NEXUS_NOT_FOUND', `There is no toolbox "${toolbox}"; ${hint}`, {
    detail: { nearest },
  });
}
