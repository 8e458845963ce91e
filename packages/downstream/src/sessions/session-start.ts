import { setTimeout as sleep } from 'node:timers/promises';
import { type OpenedToolbox, ToolError } from '@nexus/plugin-sdk';
import type { Offer } from '../offers/offer.ts';
import { offerFor, type Workplace } from '../workplace.ts';
import { type Session, tell } from './session.ts';

/** How long a session's first answers wait for a server that is opened for it. */
const WAIT_MS = 10_000;

/** Opens a toolbox that no call asked for. */
export type OpenUnasked = (session: Session, offer: Offer) => Promise<OpenedToolbox>;

/**
 * Opens what the session is to have from its start: toolboxes with `autoOpen`, and where it is resumed those
 * that it had. One that fails is told of and holds nothing up; one that is slow comes later.
 */
export async function beginSession(
  place: Workplace,
  session: Session,
  { isResumed, open }: { isResumed: boolean; open: OpenUnasked },
): Promise<void> {
  const had = isResumed ? await toolboxesOf(place, session) : [];
  const names = place.source.toolboxes.map(({ name }) => name);
  const wanted = names.filter((name) => had.includes(name) || isAutoOpen(place, session, name));
  const opened = Promise.all(wanted.map((name) => openOrTell(place, session, { toolbox: name, open })));
  const over = new AbortController();
  await Promise.race([
    opened,
    sleep(WAIT_MS, undefined, { signal: over.signal, ref: false }).catch(() => {}),
  ]);
  over.abort();
}

export async function openOrTell(
  place: Workplace,
  session: Session,
  { toolbox, open }: { toolbox: string; open: OpenUnasked },
): Promise<void> {
  try {
    const { faults } = await open(session, offerFor(place, session, toolbox));
    const servers = faults.filter(({ tool }) => tool === undefined);
    for (const { server, reason } of servers) {
      tellOf(session, `Toolbox "${toolbox}" is open without server "${server}": ${reason}`);
    }
  } catch (error) {
    if (session.hasEnded) return;
    const text = `Toolbox "${toolbox}" could not be opened: ${error instanceof Error ? error.message : String(error)}`;
    place.log.warn(text, error instanceof ToolError ? {} : { err: error });
    tellOf(session, text);
  }
}

function tellOf(session: Session, text: string): void {
  tell(session, 'notifications/message', { level: 'warning', logger: 'toolboxes', data: text });
}

/** Not for one whose settings can’t be expanded: whoever opens it, or lists toolboxes, is told why. */
export function isAutoOpen(place: Workplace, session: Session, toolbox: string): boolean {
  try {
    return offerFor(place, session, toolbox).settings.autoOpen;
  } catch {
    return false;
  }
}

async function toolboxesOf({ openToolboxes, log }: Workplace, session: Session): Promise<readonly string[]> {
  try {
    return await openToolboxes.of(session.id);
  } catch (error) {
    log.error('the toolboxes that a session had open could not be read', { err: error });
    return [];
  }
}
