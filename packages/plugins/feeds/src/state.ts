import type { Host } from '@nexus/plugin-sdk';
import type { Comparers } from './compare/comparers.ts';
import type { FeedsOptions } from './options.ts';
import type { Room } from './reading/room.ts';

export interface FeedsState {
  readonly options: FeedsOptions;
  /** Where what vendors wrote is read. */
  room(): Promise<Room>;
  /** Where files are compared, one pair at a time. */
  comparers(): Promise<Comparers>;
}

/** Threads and parsers are loaded with the first call that needs them. */
export function createState(options: FeedsOptions, { workers }: Host): FeedsState {
  let room: Promise<Room> | undefined;
  let comparers: Promise<Comparers> | undefined;
  return {
    options,
    room() {
      room ??= import('./reading/room.ts').then(({ openRoom }) => openRoom(workers));
      return room;
    },
    comparers() {
      comparers ??= import('./compare/comparers.ts').then(({ openComparers }) => openComparers(workers));
      return comparers;
    },
  };
}
