import { type ReadingRoom, readingRoom, type Workers } from '@nexus/plugin-sdk';
import type { readers } from './readers.ts';

export type Room = ReadingRoom<typeof readers>;

export function openRoom(workers: Workers): Room {
  return readingRoom(workers, new URL('./github-readers.worker.ts', import.meta.url));
}
