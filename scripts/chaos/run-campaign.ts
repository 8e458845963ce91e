import { setMaxListeners } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { joinSignals } from '@nexus/primitives';
import { type Asked, ask } from './ask.ts';
import { createCallLog } from './calls.ts';
import type { Campaign } from './campaigns.ts';
import type { Fault } from './faults.ts';
import { type Ground, layGround } from './ground.ts';
import { findMark, type Item, markOf } from './item.ts';
import { type Finding, judge, type Repeated } from './judge.ts';
import { makeFirst } from './make-first.ts';
import { readRecord } from './record.ts';
import { seeded } from './seeded.ts';
import { type Made, workKinds } from './work-kinds.ts';

export interface Outcome {
  readonly campaign: Campaign;
  readonly runs: number;
  readonly faults: readonly Fault[];
  readonly answered: number;
  readonly findings: readonly Finding[];
  readonly repeated: readonly Repeated[];
  readonly tookMs: number;
}

export interface CampaignOptions {
  readonly seed: number;
  /** Fewer than the campaign's own, over as much less time. */
  readonly runs?: number | undefined;
  readonly windowMs: number;
  /** How many times as long everything takes as on a machine that has nothing else to do. */
  readonly slowness: number;
  /** The folder for what processes wrote and what came of it. */
  readonly logs: string;
  readonly signal: AbortSignal;
  say(line: string): void;
}

/** How long after the last fault a run may take to its end: two leases, and its own work. */
const PATIENCE_MS = 100_000;
const CALM_PATIENCE_MS = 60_000;
/** How long the models take; runs of a few seconds, so that faults find them in the middle. */
const PACE = { least: 60, most: 600 };

export async function runCampaign(campaign: Campaign, options: CampaignOptions): Promise<Outcome> {
  const { seed, windowMs, slowness, logs, say } = options;
  const runs = options.runs ?? campaign.runs;
  const folder = join(logs, campaign.name);
  mkdirSync(folder, { recursive: true });
  const startedAt = performance.now();
  const log = createCallLog(PACE);
  const faults: Fault[] = [];
  await using ground = await layGround(campaign.store, {
    calls: log,
    logs: folder,
    isProxied: campaign.isProxied === true,
  });
  const made = await makeFirst(ground);
  const calm = workKinds.map(({ name }, at) => ({ at, mark: markOf(at), kind: name }));
  const items = itemsFrom(calm.length, runs);
  const asked: Asked[] = await askCalmly(calm, { ground, made, slowness });
  const before = judge({
    asked,
    calls: log.calls,
    faults,
    record: await readRecord(ground.read, findMark),
    callsOfKind: new Map(),
    windowMs,
  });
  if (before.findings.length > 0)
    throw new Error(
      `Without any fault already: ${before.findings.map(({ kind, text }) => `${kind}: ${text}`).join('; ')}`,
    );
  const callsOfKind = new Map(
    calm.map(({ kind, mark }) => [
      kind,
      new Set(log.calls.filter((call) => call.mark === mark).map(({ key }) => key)).size,
    ]),
  );
  const every = (campaign.overMs / campaign.runs) * slowness;
  say(`${campaign.name}: ${runs} runs over ${Math.round((every * runs) / 1000)} s, seed ${seed}`);

  const stopHurting = new AbortController();
  const patience = new AbortController();
  // Every run listens to both.
  for (const signal of [patience.signal, options.signal]) setMaxListeners(0, signal);
  const hurting = campaign.plan({
    ground,
    chance: seeded(seed),
    slowness,
    signal: joinSignals(stopHurting.signal, options.signal),
    onFault(fault) {
      faults.push(fault);
      say(
        `  ${fault.kind}${fault.place === undefined ? '' : ` of ${fault.place}`}, ${asked.length - calm.length} of ${runs} ended`,
      );
    },
  });
  const working = items.map(async (item, index) => {
    await sleep(index * every, undefined, { signal: options.signal });
    // By turns, each kind at each host.
    const first = (item.at + Math.floor(item.at / workKinds.length)) % ground.hosts.length;
    const hosts = [...ground.hosts.slice(first), ...ground.hosts.slice(0, first)];
    asked.push(await ask({ item, hosts, made, signal: joinSignals(patience.signal, options.signal) }));
  });
  const allEnded = Promise.all(working);
  allEnded.catch(() => {});
  await Promise.race([allEnded, sleep(every * runs)]);
  stopHurting.abort();
  await hurting;
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS * slowness);
  await allEnded;
  clearTimeout(timer);
  const record = await readRecord(ground.read, findMark);
  const judged = judge({ asked, calls: log.calls, faults, record, callsOfKind, windowMs });
  const told = asked.map(({ item, told, jobId, retried, tookMs }) => ({
    ...item,
    told,
    jobId,
    retried: Object.fromEntries(retried),
    tookMs,
    record: record.get(item.mark),
  }));
  writeFileSync(
    join(folder, 'evidence.json'),
    JSON.stringify({ seed, faults, ...judged, told, calls: log.calls }, null, 1),
  );
  return {
    campaign,
    runs,
    faults,
    answered: log.calls.filter(({ answeredAt }) => answeredAt !== undefined).length,
    ...judged,
    tookMs: performance.now() - startedAt,
  };
}

/** One of each kind, with nothing in its way: what it comes to is what is expected afterwards. */
function askCalmly(
  items: readonly Item[],
  { ground, made, slowness }: { ground: Ground; made: Made; slowness: number },
): Promise<Asked[]> {
  const signal = AbortSignal.timeout(CALM_PATIENCE_MS * slowness);
  return Promise.all(items.map((item) => ask({ item, hosts: ground.hosts.slice(0, 1), made, signal })));
}

function itemsFrom(first: number, count: number): Item[] {
  return Array.from({ length: count }, (_, index) => {
    const at = first + index;
    return { at, mark: markOf(at), kind: workKinds[index % workKinds.length]?.name ?? '' };
  });
}
