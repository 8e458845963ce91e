import type { Host } from '@nexus/plugin-sdk';
import type { z } from 'zod';
import type { options } from './options.ts';
import type { Room } from './security/reading/room.ts';

export interface GitHubState {
  readonly options: z.output<typeof options>;
  /** Where workflows of others are read. */
  room(): Promise<Room>;
}

/** Threads and the parser are loaded with the first call that needs them. */
export function createState(given: z.output<typeof options>, { workers }: Host): GitHubState {
  let room: Promise<Room> | undefined;
  return {
    options: given,
    room() {
      room ??= import('./security/reading/room.ts').then(({ openRoom }) => openRoom(workers));
      return room;
    },
  };
}
