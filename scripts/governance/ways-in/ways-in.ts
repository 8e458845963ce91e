import { http } from './http.ts';
import { ipc } from './ipc.ts';
import { memory } from './memory.ts';
import { stdio } from './stdio.ts';
import type { WayIn } from './way-in.ts';

/** Every way in that is held to the lock; a new transport adds its own here. */
export const waysIn: readonly WayIn[] = [memory, stdio, ipc, http];
