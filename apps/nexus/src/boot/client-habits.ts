import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClientHabits, isRecord } from '@nexus/core';
import type { Log } from '@nexus/plugin-sdk';

/** Names are the clients' own words. */
const MAX_CLIENTS = 200;
const MAX_NAME_CHARS = 200;
const FILE = 'clients.json';

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

/** One that can't be read is as good as none: all of it is learnt again. By hand, since a start does not load zod. */
function readHabits(file: string): Map<string, boolean> {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const entries = isRecord(kept) ? Object.entries(kept).slice(0, MAX_CLIENTS) : [];
    return new Map(
      entries.flatMap(([client, habit]) =>
        client.length <= MAX_NAME_CHARS && isRecord(habit) && typeof habit.looksAgain === 'boolean'
          ? [[client, habit.looksAgain] as const]
          : [],
      ),
    );
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
