import { setTimeout as sleep } from 'node:timers/promises';
import { type CataloguedTool, type Log, type OpenedToolbox, ToolError } from '@nexus/plugin-sdk';
import type { Offer } from '../catalogue/offer.ts';
import type { Offers } from '../catalogue/offers.ts';
import type { Lease } from '../leases/lease.ts';
import type { Leases } from '../leases/leases.ts';
import type { Waiting } from '../leases/open-server.ts';
import type { ServerFault } from '../settings.ts';
import type { OpenToolboxes } from '../store/open-toolboxes.ts';
import { holdServers } from './hold-servers.ts';
import { openOf } from './holding.ts';
import type { Holdings } from './holdings.ts';
import type { TakenName } from './register-tools.ts';
import type { Session } from './session.ts';
import { type SharedWait, shareWait } from './shared-wait.ts';

/** How sessions come to have toolboxes open, and to have them no more. */
export interface Openings {
  /**
   * Opens a toolbox for a session; several at once do it once.
   * @throws {ToolError} NEXUS_NOT_FOUND; NEXUS_UNAVAILABLE where none of its servers could be reached
   */
  open(session: Session, toolbox: string, waiting: Omit<Waiting, 'sessionId'>): Promise<OpenedToolbox>;
  /**
   * Takes it from the session, once it is opened where it is being opened.
   * @returns how many tools went
   */
  close(session: Session, toolbox: string): Promise<number>;
  /** Waits for all that is being opened for the session. */
  settled(session: Session): Promise<void>;
}

/** So long an opening waits for who writes to the database, to be on record when it answers. */
const RECORD_MS = 1_000;

export interface OpeningsOptions {
  readonly offers: Offers;
  readonly holdings: Holdings;
  readonly take: Leases['take'];
  readonly record: OpenToolboxes;
  readonly log: Log;
}

export function createOpenings({ offers, holdings, take, record, log }: OpeningsOptions): Openings {
  const running = new WeakMap<Session, Map<string, SharedWait<OpenedToolbox>>>();
  const openingsOf = (session: Session) => {
    const known = running.get(session) ?? new Map<string, SharedWait<OpenedToolbox>>();
    running.set(session, known);
    return known;
  };

  /** For the server that serves the session next. One that comes late is on record late. */
  async function added(sessionId: string, toolbox: string): Promise<void> {
    await record.add(sessionId, toolbox).catch((error: unknown) => {
      log.warn('that a toolbox is open is not on record', { toolbox, err: error });
    });
  }

  async function open(session: Session, offer: Offer, waiting: Waiting): Promise<OpenedToolbox> {
    const { toolbox, servers, settings } = offer;
    if (servers.length === 0 && settings.faults.length > 0) throw noneUsable(toolbox, settings.faults);
    const wasOpen = openOf(session.holdings.get(toolbox)) !== undefined;
    // Also of one that is open: a server of it may have ended since.
    const { leases, faults: unreached } = await holdServers(take, servers, waiting);
    const isAdded = !wasOpen && session.isClients && !session.scope.hasEnded;
    try {
      if (isAdded)
        await Promise.race([added(session.id, toolbox), sleep(RECORD_MS, undefined, { ref: false })]);
      waiting.signal.throwIfAborted();
      if (session.scope.hasEnded)
        throw new Error(`session ${session.id} ended while toolbox ${toolbox} was opened`);
    } catch (error) {
      for (const lease of leases) lease.giveUp();
      // Of a session that has ended it stays, for the server that serves it next.
      if (isAdded && waiting.signal.aborted) await record.remove(session.id, toolbox);
      throw error;
    }
    const taken = holdings.set(session, toolbox, { state: 'open', offer, leases });
    const { faults } = offer.tools();
    const left = [...settings.faults, ...unreached, ...leases.flatMap(leftAlone)];
    for (const { server, reason } of left)
      log.warn('a server of a toolbox is left out', { toolbox, server, reason });
    return {
      toolbox,
      tools: asCalled(offer.inSight(), taken),
      isListed: offers.source.toolMode === 'dynamic',
      wasOpen,
      instructions: leases.flatMap(({ address, link: { instructions } }) =>
        instructions === undefined ? [] : [{ server: address.server, ...instructions }],
      ),
      faults: [...left, ...faults, ...taken.map(({ fault }) => fault)],
    };
  }

  return {
    async open(session, toolbox, waiting) {
      const offer = offers.of(toolbox, session.environment);
      const known = openingsOf(session);
      const waiter = { sessionId: session.id, signal: waiting.signal, ask: waiting.ask };
      let before = known.get(toolbox);
      while (before?.isGivenUp) {
        await before.settled;
        before = known.get(toolbox);
      }
      if (before) return { ...(await before.join(waiter)), wasOpen: true };
      const opening = shareWait(session.id, (shared) => open(session, offer, shared), waiter);
      known.set(toolbox, opening);
      void opening.settled.then(() => known.get(toolbox) === opening && known.delete(toolbox));
      return opening.join(waiter);
    },
    async close(session, toolbox) {
      await openingsOf(session).get(toolbox)?.settled;
      // What it had went with it, and stays on record where another server is to go on.
      if (session.scope.hasEnded) return 0;
      const open = openOf(session.holdings.get(toolbox));
      holdings.set(session, toolbox, undefined);
      if (session.isClients) await record.remove(session.id, toolbox);
      return open?.offer.inSight().length ?? 0;
    },
    async settled(session) {
      await Promise.all([...openingsOf(session).values()].map((opening) => opening.settled));
    },
  };
}

/** By the names that the session has them by; without those that it has by none. */
function asCalled(tools: readonly CataloguedTool[], taken: readonly TakenName[]): readonly CataloguedTool[] {
  if (taken.length === 0) return tools;
  const others = new Map(taken.map(({ tool, name }) => [tool, name]));
  return tools.flatMap((tool) => {
    if (!others.has(tool)) return [tool];
    const registeredName = others.get(tool);
    if (registeredName === undefined) return [];
    const { toolbox, server, tool: name, definition, hints } = tool;
    return [{ toolbox, server, tool: name, registeredName, definition, hints }];
  });
}

/** @returns the error of a toolbox none of whose servers can be used */
function noneUsable(toolbox: string, faults: readonly ServerFault[]): ToolError {
  const lines = faults.map(({ server, reason }) => `${server}: ${reason}`);
  return new ToolError('NEXUS_CONFIG', `Toolbox "${toolbox}": ${lines.join('\n')}`, {
    detail: { toolbox, faults },
  });
}

/** A server that stands and answers nothing: what it listed is in sight, and can't be called for a while. */
function leftAlone({ address: { server }, link }: Lease): readonly ServerFault[] {
  if (link.leftAlone === undefined) return [];
  const reason = `${link.leftAlone}. Its tools are listed as they were, and calls of them fail until then; the first one after that tries it.`;
  return [{ server, reason }];
}
