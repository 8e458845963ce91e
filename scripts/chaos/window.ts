import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './ask.ts';
import { type Call, createCallLog, now } from './calls.ts';
import { layGround, type Store } from './ground.ts';
import { type Item, markOf } from './item.ts';
import { repeatedCalls } from './judge.ts';
import { makeFirst } from './make-first.ts';
import { seeded } from './seeded.ts';
import { workKinds } from './work-kinds.ts';

/** A server that was killed so long after the last byte of an answer. */
export interface Shot {
  readonly afterMs: number;
  readonly isRepeated: boolean;
}

/** The latest that a kill comes after an answer. */
const LATEST_MS = 30;
const PATIENCE_MS = 60_000;
/** Calls of a run that are waited for at most; each kind makes more. */
const DEEPEST = 3;

/** Kills a server that does nothing else right after an answer came, again and again. */
export async function measureWindow(options: {
  readonly store: Store;
  readonly times: number;
  readonly seed: number;
  readonly logs: string;
}): Promise<Shot[]> {
  const { store, times, seed } = options;
  const logs = join(options.logs, `window-${store}`);
  mkdirSync(logs, { recursive: true });
  let heard = (_call: Call) => {};
  const log = createCallLog({ least: 60, most: 120 }, (call) => heard(call));
  await using ground = await layGround(store, { calls: log, logs, isProxied: false });
  const made = await makeFirst(ground);
  const chance = seeded(seed);
  const shots: Shot[] = [];
  const [host] = ground.hosts;
  for (let at = 0; host && at < times; at += 1) {
    const { name: kind } = chance.of(workKinds.filter(({ name }) => name !== 'execute_expert'));
    const item: Item = { at: at * 3, mark: markOf(at), kind };
    const until = chance.between(1, DEEPEST);
    const wait = chance.between(0, LATEST_MS);
    await host.client();
    const shot = new Promise<{ call: Call; killedAt: number }>((resolve) => {
      let answers = 0;
      heard = (call) => {
        answers += 1;
        if (answers !== until) return;
        setTimeout(() => {
          const killedAt = now();
          // Whoever serves: of hosts that share a server, the one that is asked may be a bridge to it.
          const server = host.place.owner() ?? host.pid;
          if (server !== undefined) process.kill(server, 'SIGKILL');
          resolve({ call, killedAt });
        }, wait);
      };
    });
    const asked = ask({ item, hosts: [host], made, signal: AbortSignal.timeout(PATIENCE_MS) });
    const { call, killedAt } = await shot;
    heard = () => {};
    const { told } = await asked;
    if (told.length === 0) throw new Error(`${kind} did not end within ${PATIENCE_MS} ms after a kill`);
    const fault = { kind: 'kill' as const, at: killedAt, endedAt: killedAt, place: call.place };
    const own = log.calls.filter(({ mark }) => mark === item.mark);
    const again = repeatedCalls({ calls: own, faults: [fault] });
    const answered = own.filter(({ answeredAt }) => answeredAt !== undefined && answeredAt <= killedAt);
    for (const { key, answeredAt } of answered) {
      const afterMs = killedAt - Number(answeredAt);
      shots.push({ afterMs, isRepeated: again.some((each) => each.key === key) });
    }
    await sleep(100);
  }
  return shots;
}

const BORDERS = [2, 5, 10, 20, 50, Number.POSITIVE_INFINITY];

/** Of the answers that came so long before a kill, how many calls were made again. */
export function windowTable(store: Store, shots: readonly Shot[]): string {
  const rows = BORDERS.map((border, index) => {
    const from = BORDERS[index - 1] ?? 0;
    const own = shots.filter(({ afterMs }) => afterMs >= from && afterMs < border);
    const again = own.filter(({ isRepeated }) => isRepeated).length;
    const range = border === Number.POSITIVE_INFINITY ? `${from} ms and more` : `${from} to ${border} ms`;
    return `| ${store} | ${range} | ${own.length} | ${again} |`;
  });
  return [
    '| store | the answer came before the kill by | answers | made again |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

/** The longest that an answer was on its way to the record when a kill took it. */
export function longestLoss(shots: readonly Shot[]): number {
  return Math.max(0, ...shots.filter(({ isRepeated }) => isRepeated).map(({ afterMs }) => afterMs));
}
