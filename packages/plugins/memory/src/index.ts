import { createLookedAt, definePlugin, type LookedAt } from '@nexus/plugin-sdk';
import { oneByOne } from '@nexus/primitives';
import { z } from 'zod';
import type { Memory } from './memory.ts';
import { retention } from './retention.ts';
import { memoryForget } from './tools/memory-forget.ts';
import { memoryQuery } from './tools/memory-query.ts';
import { memoryStats } from './tools/memory-stats.ts';
import { memoryWrite } from './tools/memory-write.ts';
import { versionValue } from './version-value.ts';

export interface MemoryState {
  /** Connects on first use; the store gives the same tables afterwards. */
  open(): Promise<Memory>;
  /** The same for who only reads; undefined where nothing was ever written. */
  openToRead(): Promise<Memory | undefined>;
  /** What each session was shown or wrote, as {@link seenId} names it. */
  readonly lookedAt: LookedAt;
}

export default definePlugin({
  name: 'memory',
  options: z.strictObject({}),
  retention,
  resourceTemplates: [versionValue],
  tools: [memoryForget, memoryQuery, memoryStats, memoryWrite],
  async start(_options, { store }): Promise<MemoryState> {
    const inTurn = oneByOne();
    return {
      lookedAt: createLookedAt(),
      async open() {
        const { openMemory } = await import('./memory.ts');
        return openMemory(store, inTurn);
      },
      async openToRead() {
        const { openWrittenMemory } = await import('./memory.ts');
        return openWrittenMemory(store, inTurn);
      },
    };
  },
  async stop() {},
});
