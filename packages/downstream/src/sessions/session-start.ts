import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@nexus/plugin-sdk';
import type { Offers } from '../catalogue/offers.ts';
import type { OpenToolboxes } from '../store/open-toolboxes.ts';
import type { Session } from './session.ts';
import type { Unasked } from './unasked.ts';

/** How long a session's first answers wait for a server that is opened for it. */
const WAIT_MS = 10_000;

export interface Beginning {
  readonly offers: Offers;
  readonly unasked: Unasked;
  readonly record: OpenToolboxes;
  readonly log: Log;
}

/**
 * Opens what the session is to have from its start: toolboxes with `autoOpen`, and where it is resumed those
 * that it had. One that fails is told of and holds nothing up; one that is slow comes later.
 */
export async function beginSession(
  { offers, unasked, record, log }: Beginning,
  session: Session,
  { isResumed }: { readonly isResumed: boolean },
): Promise<void> {
  const had = new Set(isResumed ? await toolboxesOf(session, record, log) : []);
  const names = offers.source.toolboxes.map(({ name }) => name);
  const wanted = names.filter((name) => had.has(name) || unasked.isWanted(session, name));
  const opened = Promise.all(wanted.map((name) => unasked.open(session, name)));
  const over = new AbortController();
  await Promise.race([
    opened,
    sleep(WAIT_MS, undefined, { signal: over.signal, ref: false }).catch(() => {}),
  ]);
  over.abort();
}

async function toolboxesOf(session: Session, record: OpenToolboxes, log: Log): Promise<readonly string[]> {
  try {
    return await record.of(session.id);
  } catch (error) {
    log.error('the toolboxes that a session had open could not be read', { err: error });
    return [];
  }
}
