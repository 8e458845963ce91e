import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testDir } from './app.ts';

/** Options of `node` under which the timers of a process run out a hundred times as fast. */
export const fastClock = ['--import', pathToFileURL(join(testDir, 'fixtures/fast-clock.mjs')).href];
