import type { Registry } from '@nexus/core';
import type { ToolboxSource } from '../downstreams.ts';
import type { Lease } from '../leases/lease.ts';
import type { LinkStatus } from '../leases/link.ts';
import { type Holding, leasesOf } from './holding.ts';
import type { LinkUsers } from './link-users.ts';
import { registerTools, type TakenName } from './register-tools.ts';
import type { Session } from './session.ts';

/** The one way by which what a session has becomes another, with all that follows from it. */
export interface Holdings {
  /**
   * Puts this in the place of what the session has of the toolbox; undefined takes it away.
   * @returns the tools whose names the session had from elsewhere
   */
  set(session: Session, toolbox: string, holding: Holding | undefined): readonly TakenName[];
  /** Registers the tools anew, since a list of its servers is another, or how tools are listed. */
  refresh(session: Session, toolbox: string): void;
  /** Gives back everything of a session that has ended; its tools went with it. */
  end(session: Session): void;
}

export interface HoldingsOptions {
  readonly registry: Registry;
  /** Whether the tools of an open toolbox are listed. */
  toolMode(): ToolboxSource['toolMode'];
  readonly users: LinkUsers;
  /** These connections are new to the session, or gone from it; their leases are on the way out. */
  moved(session: Session, links: readonly LinkStatus[]): void;
}

export function createHoldings({ registry, toolMode, users, moved }: HoldingsOptions): Holdings {
  const register = (session: Session, toolbox: string) =>
    registerTools(registry, session, { toolbox, isListed: toolMode() === 'dynamic' });

  /** Told of before they go, so that their servers can be. */
  function change(session: Session, leases: Record<'taken' | 'gone', readonly Lease[]>): void {
    const links = users.change(session, leases);
    if (links.length > 0) moved(session, links);
    for (const lease of leases.gone) lease[Symbol.dispose]();
  }

  return {
    set(session, toolbox, holding) {
      if (session.scope.hasEnded) {
        for (const lease of leasesOf(holding)) lease.giveUp();
        return [];
      }
      const before = session.holdings.get(toolbox);
      const holdings = new Map(session.holdings);
      if (holding) holdings.set(toolbox, holding);
      else holdings.delete(toolbox);
      session.holdings = holdings;
      const taken = register(session, toolbox);
      const now = leasesOf(holding);
      const gone = leasesOf(before).filter((lease) => !now.includes(lease));
      change(session, { taken: now, gone });
      return taken;
    },
    refresh(session, toolbox) {
      if (session.holdings.has(toolbox)) register(session, toolbox);
    },
    end(session) {
      const gone = [...session.holdings.values()].flatMap(leasesOf);
      session.holdings = new Map();
      change(session, { taken: [], gone });
    },
  };
}
