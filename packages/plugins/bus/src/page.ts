import { fitting } from '@nexus/plugin-sdk';

/** Which part of a list is wanted; its total counts all. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** As many from the front as have room in a part of an answer, each whole; one at least. @param room characters */
export function fittingPart<Item>(items: readonly Item[], room: number): Item[] {
  return fitting(items, { room, textOf: () => 0 });
}

/** The newest that have room, oldest first. @param newest the newest first */
export function newestFitting<Item>(newest: readonly Item[], room: number): Item[] {
  return fittingPart(newest, room).reverse();
}
