import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientHabits } from '@nexus/core';
import type { Log } from '@nexus/plugin-sdk';
import { z } from 'zod';

/** Names are the clients' own words. */
const MAX_CLIENTS = 200;
const MAX_NAME_CHARS = 200;
const FILE = 'clients.json';

const Habits = z.record(z.string().max(MAX_NAME_CHARS), z.object({ looksAgain: z.boolean() }));

/** What has been learnt of clients, in a file of the data directory: read by the first who asks, written at each change. */
export function clientHabits(dataDir: string, log: Log): ClientHabits {
  let read: Map<string, boolean> | undefined;
  const known = () => {
    read ??= readHabits(join(dataDir, FILE));
    return read;
  };
  return {
    looksAgain: (client) => known().get(client),
    learn(client, looksAgain) {
      const habits = known();
      if (client.length > MAX_NAME_CHARS || (habits.size >= MAX_CLIENTS && !habits.has(client))) return;
      habits.set(client, looksAgain);
      try {
        writeHabits(dataDir, habits);
      } catch (error) {
        log.warn('what was learnt of a client could not be kept', { client, err: error });
      }
    },
  };
}

/** One that can't be read is as good as none: all of it is learnt again. */
function readHabits(file: string): Map<string, boolean> {
  try {
    const habits = Habits.parse(JSON.parse(readFileSync(file, 'utf8')));
    return new Map(Object.entries(habits).map(([client, { looksAgain }]) => [client, looksAgain]));
  } catch {
    return new Map();
  }
}

function writeHabits(dataDir: string, habits: ReadonlyMap<string, boolean>): void {
  mkdirSync(dataDir, { recursive: true });
  const content = Object.fromEntries([...habits].map(([client, looksAgain]) => [client, { looksAgain }]));
  const written = join(dataDir, `${FILE}.${process.pid}`);
  writeFileSync(written, `${JSON.stringify(content, null, 2)}\n`);
  renameSync(written, join(dataDir, FILE));
}
