import { setTimeout as sleep } from 'node:timers/promises';
import { now } from './calls.ts';
import type { Database, Ground } from './ground.ts';
import type { Host } from './host.ts';
import type { Chance } from './seeded.ts';

/** Something that was done to the ground, on the clock of the calls. */
export interface Fault {
  readonly kind: 'kill' | 'stop' | 'fast' | 'immediate' | 'away' | 'cut' | 'silence';
  readonly at: number;
  readonly endedAt: number;
  /** Whose server it took; undefined where it was the database, a connection, or a process that serves nobody. */
  readonly place: string | undefined;
}

export interface Hurting {
  readonly ground: Ground;
  readonly chance: Chance;
  /** Fires when no new fault is to begin. */
  readonly signal: AbortSignal;
  /** How many times as long everything takes here as on a machine that has nothing else to do. */
  readonly slowness: number;
  onFault(fault: Fault): void;
}

/** Hurts the ground again and again until it is told not to; returns when the last fault is over. */
export type Plan = (hurting: Hurting) => Promise<void>;

/** How long a process may take to be up. */
const UP_MS = 10_000;

const calm = (ms: number, { signal, slowness }: Hurting) =>
  sleep(ms * slowness, undefined, { signal }).catch(() => {});

/** Whether its process serves; one that has only just begun to may not have said so yet. */
function serves(host: Host, hosts: readonly Host[]): boolean {
  const owner = host.place.owner();
  return !hosts.some((other) => other !== host && other.place === host.place && other.pid === owner);
}

/** Every process is killed now and then; of those that share a server, most often the one that serves. */
export const kills: Plan = async (hurting) => {
  const { chance, signal } = hurting;
  const { hosts } = hurting.ground;
  while (!signal.aborted) {
    await calm(chance.between(1_500, 5_000), hurting);
    if (signal.aborted) return;
    const owners = hosts.filter((each) => serves(each, hosts));
    const host = chance.of(owners.length > 0 && chance.between(1, 4) > 1 ? owners : hosts);
    const isPatient = chance.between(1, 4) > 1;
    await kill(host, { ...hurting, downMs: chance.between(100, 1_500), isPatient });
  }
};

interface Kill extends Hurting {
  readonly downMs: number;
  /** Whether the next fault waits until the process is up again. */
  readonly isPatient: boolean;
}

async function kill(host: Host, { ground, downMs, isPatient, slowness, onFault }: Kill): Promise<void> {
  const { hosts } = ground;
  const { pid } = host;
  if (pid === undefined) return;
  const place = serves(host, hosts) ? host.place.name : undefined;
  const at = now();
  process.kill(pid, 'SIGKILL');
  onFault({ kind: 'kill', at, endedAt: at, place });
  await sleep(downMs);
  // A machine is up again by itself, whether its client asks for anything or not.
  const isUp = host.client().catch(() => {});
  // One that dies before it is up shows little, and a slow machine would show nothing else: so most come up first.
  if (isPatient) await Promise.race([isUp, sleep(UP_MS * slowness)]);
}

/** A server is stopped for up to a minute, goes on, and a while later it is another one's turn. */
export const stops =
  (seconds: readonly number[]): Plan =>
  async (hurting) => {
    const { chance, signal, onFault } = hurting;
    const { hosts } = hurting.ground;
    for (const length of seconds) {
      await calm(chance.between(2_000, 6_000), hurting);
      if (signal.aborted) return;
      const owners = hosts.filter((each) => serves(each, hosts));
      const host = chance.of(owners.length > 0 ? owners : hosts);
      const { pid } = host;
      if (pid === undefined) continue;
      const place = serves(host, hosts) ? host.place.name : undefined;
      const at = now();
      process.kill(pid, 'SIGSTOP');
      try {
        await sleep(length * 1_000);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      onFault({ kind: 'stop', at, endedAt: now(), place });
    }
  };

/** Postgres ends, in order or as by a crash, and is there again after so long. */
async function restart(
  database: Database,
  {
    kind,
    downMs,
    onFault,
  }: { kind: 'fast' | 'immediate' | 'away'; downMs: number; onFault: Hurting['onFault'] },
): Promise<void> {
  const at = now();
  await (kind === 'immediate' ? database.crash() : database.shutDown());
  await sleep(downMs);
  await database.begin();
  onFault({ kind, at, endedAt: now(), place: undefined });
}

export const restarts: Plan = async (hurting) => {
  const { ground, chance, signal, onFault } = hurting;
  for (let round = 0; !signal.aborted; round += 1) {
    await calm(chance.between(3_000, 9_000), hurting);
    if (signal.aborted) return;
    const kind = round % 2 === 0 ? 'fast' : 'immediate';
    await restart(databaseOf(ground), { kind, downMs: chance.between(0, 2_500), onFault });
  }
};

export const away =
  (seconds: readonly number[]): Plan =>
  async (hurting) => {
    const { ground, chance, signal, onFault } = hurting;
    for (const length of seconds) {
      await calm(chance.between(4_000, 8_000), hurting);
      if (signal.aborted) return;
      await restart(databaseOf(ground), { kind: 'away', downMs: length * 1_000, onFault });
    }
  };

/** Connections are broken, and now and then one machine hears nothing at all. */
export const cuts: Plan = async (hurting) => {
  const { ground, chance, signal, onFault } = hurting;
  const { proxies } = databaseOf(ground);
  for (let round = 1; !signal.aborted; round += 1) {
    await calm(chance.between(1_500, 5_000), hurting);
    if (signal.aborted) return;
    const host = chance.of(ground.hosts);
    const proxy = proxies[ground.hosts.indexOf(host)];
    if (!proxy) throw new Error(`${host.name} reaches the database by no proxy`);
    const at = now();
    if (round % 8 === 0) {
      const ms = chance.between(5_000, 40_000);
      proxy.silence(ms);
      await sleep(ms);
      onFault({ kind: 'silence', at, endedAt: now(), place: host.place.name });
    } else {
      proxy.cut();
      onFault({ kind: 'cut', at, endedAt: at, place: undefined });
    }
  }
};

/** Of each kind one after the other, none beside another. */
export const all: Plan = async (hurting) => {
  const { ground, chance, signal, onFault } = hurting;
  const kinds = ['kill', 'stop', 'fast', 'immediate', 'cut'] as const;
  while (!signal.aborted) {
    await calm(chance.between(2_000, 5_000), hurting);
    if (signal.aborted) return;
    const kind = chance.of(kinds);
    if (kind === 'kill') {
      const downMs = chance.between(100, 1_500);
      await kill(chance.of(ground.hosts), { ...hurting, downMs, isPatient: true });
    } else if (kind === 'stop') await stops([chance.between(2, 40)])(hurting);
    else if (kind === 'cut') {
      const at = now();
      chance.of(databaseOf(ground).proxies).cut();
      onFault({ kind, at, endedAt: at, place: undefined });
    } else await restart(databaseOf(ground), { kind, downMs: chance.between(0, 2_500), onFault });
  }
};

function databaseOf({ database }: Ground): Database {
  if (!database) throw new Error('this ground has no database that could be hurt by itself');
  return database;
}
