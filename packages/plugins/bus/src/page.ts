import { answerRoom, fitting } from '@nexus/plugin-sdk';
import type { Bus } from './bus.ts';

/** Which part of a list is wanted; its total counts all. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** What every answer says beside its lists. */
const BESIDE = 500;

/**
 * Characters of JSON that a list may have in an answer, which holds it twice: as text and as structure.
 * @param share the list's, of what is left; @param beside characters of JSON that the answer has besides
 */
export function roomIn({ results }: Pick<Bus, 'results'>, { share = 1, beside = 0 } = {}): number {
  return Math.max(0, Math.floor(share * (answerRoom(results) / 2 - BESIDE - beside)));
}

/** What an answer of messages says beside these: the total, the cursor, and its own names. */
const BESIDE_MESSAGES = 150;
/** A part of one. */
const LEAST_FOR_MESSAGES = 500;

/**
 * The same of messages, which are no less than marked as shown: a part of one has room however little the host shows.
 * @param beside characters of JSON that the answer has besides
 */
export function roomForMessages(bus: Pick<Bus, 'results'>, beside = 0): number {
  const room = roomIn(bus, { beside });
  const all = Math.floor(bus.results.maxChars / 2) - BESIDE_MESSAGES - beside;
  return Math.max(room, Math.min(all, LEAST_FOR_MESSAGES));
}

/** As many from the front as have room in a part of an answer, each whole; one at least. @param room characters */
export function fittingPart<Item>(items: readonly Item[], room: number): Item[] {
  return fitting(items, { room, textOf: () => 0 });
}

/** The newest that have room, oldest first. @param newest the newest first */
export function newestFitting<Item>(newest: readonly Item[], room: number): Item[] {
  return fittingPart(newest, room).reverse();
}
