import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClientHabits, isRecord, type Waits, type WaitsOfClients } from '@nexus/core';
import type { Log } from '@nexus/plugin-sdk';

/** Names are the clients' own words. */
const MAX_CLIENTS = 200;
const MAX_NAME_CHARS = 200;
const FILE = 'clients.json';
/** How long a client counts as impatient: its settings may have changed since, and nothing else would show it. */
const WAITS_DAYS = 30;
const DAY_MS = 86_400_000;

interface Habit extends Waits {
  readonly looksAgain?: boolean;
  /** When its waits were learnt last, in epoch milliseconds. */
  readonly waitsSeenAt?: number;
}

/** What has been learnt of clients, in a file of the data directory: read by the first who asks, written at each change. */
export function clientHabits(dataDir: string, log: Log): ClientHabits & WaitsOfClients {
  let read: Map<string, Habit> | undefined;
  const known = () => {
    read ??= readHabits(join(dataDir, FILE));
    return read;
  };
  function learn(client: string, habit: Habit): void {
    const habits = known();
    if (client.length > MAX_NAME_CHARS || (habits.size >= MAX_CLIENTS && !habits.has(client))) return;
    habits.set(client, { ...habits.get(client), ...habit });
    try {
      writeHabits(dataDir, habits);
    } catch (error) {
      log.warn('what was learnt of a client could not be kept', { client, err: error });
    }
  }
  return {
    looksAgain: (client) => known().get(client)?.looksAgain,
    learn: (client, looksAgain) => learn(client, { looksAgain }),
    waits(client) {
      const { quietMs, totalMs, waitsSeenAt = 0 } = known().get(client) ?? {};
      return Date.now() - waitsSeenAt < WAITS_DAYS * DAY_MS ? { quietMs, totalMs } : undefined;
    },
    learnWaits: (client, waits) => learn(client, { ...waits, waitsSeenAt: Date.now() }),
  };
}

/** One that can't be read is as good as none: all of it is learnt again. By hand, since a start does not load zod. */
function readHabits(file: string): Map<string, Habit> {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const entries = isRecord(kept) ? Object.entries(kept).slice(0, MAX_CLIENTS) : [];
    return new Map(
      entries.flatMap(([client, habit]) =>
        client.length <= MAX_NAME_CHARS && isRecord(habit) ? [[client, toHabit(habit)] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}

function toHabit({ looksAgain, ...numbers }: Readonly<Record<string, unknown>>): Habit {
  const waits = Object.fromEntries(
    (['quietMs', 'totalMs', 'waitsSeenAt'] as const).flatMap((key) => {
      const value = numbers[key];
      return typeof value === 'number' && value > 0 ? [[key, value]] : [];
    }),
  );
  return { ...(typeof looksAgain === 'boolean' ? { looksAgain } : {}), ...waits };
}

function writeHabits(dataDir: string, habits: ReadonlyMap<string, Habit>): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const written = join(dataDir, `${FILE}.${process.pid}`);
  const text = `${JSON.stringify(Object.fromEntries(habits), null, 2)}\n`;
  writeFileSync(written, text, { mode: 0o600 });
  renameSync(written, join(dataDir, FILE));
}
