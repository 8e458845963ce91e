import type { RunCaller } from '@nexus/plugin-sdk';
import type { InstanceServices } from '../execution/instance-services.ts';
import { RunInstance } from '../execution/run-instance.ts';
import type { Settlements } from '../execution/settlements.ts';
import type { ClaimedRun } from '../record/claiming.ts';
import { OWNED_CHANNEL } from '../record/run-database.ts';
import { takeUp } from '../record/strays.ts';
import type { RunRow } from '../record/tables.ts';
import type { Capacity } from './capacity.ts';
import type { Families } from './families.ts';
import { createLentCallers } from './lent-callers.ts';
import { perform } from './perform.ts';
import { createPresence, type Presence } from './presence.ts';
import { WATCH_MS } from './rounds.ts';
import { createStrays } from './strays.ts';
import type { WorkerOptions } from './worker-options.ts';

const PARK_AFTER_MS = 30_000;
/** Others wait for the place that a family has: while it waits itself it is not kept at hand. */
const PARK_SOON_AFTER_MS = 1_000;

/** A run that has only been created. */
const NEW: Pick<ClaimedRun, 'steps' | 'seq'> = { steps: [], seq: 1 };

export interface HandsParts extends WorkerOptions {
  readonly families: Families;
  readonly capacity: Capacity;
  readonly settlements: Settlements;
  /** Something of a run is on record, for whoever follows it from elsewhere. */
  onRecorded(runId: string, rootId: string): void;
  /** A run of a family is taken up here. */
  onTaken(rootId: string): void;
  /** It is another's now, or nobody's. */
  onLost(rootId: string): void;
  /** There may be something to be taken: a place is free, or what others waited for has ended. */
  tickSoon(): void;
}

/** The runs that this process has in hand, and what others know it by for them. */
export interface Hands {
  readonly presence: Presence;
  /** The family that processes have died with, and that has got no further yet: one at a time, so that the one that kills is found. */
  readonly suspect: string | undefined;
  readonly ids: readonly string[];
  readonly all: readonly RunInstance[];
  get(runId: string): RunInstance | undefined;
  /** Goes on with what was claimed. */
  take(claimed: ClaimedRun): void;
  /** Runs what is on record as this process's. */
  begin(run: RunRow, caller: RunCaller | undefined, history?: Pick<ClaimedRun, 'steps' | 'seq'>): void;
  /** Whose call a run comes from, should it go on here. */
  lend(runId: string, caller: RunCaller | undefined): void;
  /** What this process has ended it need not hear of. @returns whether it is that, once for each */
  hasEnded(runId: string): boolean;
  /** Words may have been lost. */
  forgetEnded(): void;
  stop(): void;
}

export function createHands(parts: HandsParts): Hands {
  const { on, log, kinds, changes, families, capacity, settlements, tickSoon } = parts;
  const instances = new Map<string, RunInstance>();
  /** Ended by this process, which has not heard of it yet as all do. */
  const endedHere = new Set<string>();
  const callers = createLentCallers();
  const lasting = createStrays((runId) => instances.has(runId));
  let suspect: string | undefined;
  let isStopping = false;
  let saidAt = Number.NEGATIVE_INFINITY;

  const presence = createPresence({
    on,
    log,
    isNeeded: () => instances.size > 0,
    async onRenewed(owned) {
      const ours = new Map(owned?.map(({ id, epoch }) => [id, epoch]));
      for (const instance of [...instances.values()]) {
        if (ours.get(instance.run.id) === instance.token.epoch) await instance.saveMessage();
        else void instance.look();
      }
      await takeUpStrays(owned ?? []);
    },
  });

  async function takeUpStrays(owned: readonly { id: string; epoch: number }[]): Promise<void> {
    const strays = lasting(owned);
    const owner = presence.id;
    if (strays.length === 0 || owner === undefined || isStopping) return;
    const tokens = strays.map(({ id: runId, epoch }) => ({ runId, owner, epoch }));
    for (const each of await takeUp(on, tokens)) {
      log.info('a run that was begun unseen goes on', { run: each.run.id, kind: each.run.kind });
      take(each);
    }
  }

  function servicesOf({ root_id: rootId }: RunRow, caller: RunCaller | undefined): InstanceServices {
    return {
      on,
      log,
      shutdown: parts.shutdown,
      settlements,
      caller,
      graceMs: parts.graceMs,
      parkAfterMs() {
        const { parkAfterMs = PARK_AFTER_MS } = parts;
        const isWanted = rootId === suspect || capacity.isFull;
        return isWanted ? Math.min(parkAfterMs, PARK_SOON_AFTER_MS) : parkAfterMs;
      },
      parkFamily() {
        const isParked = families.park(rootId);
        if (isParked) freeTurn(rootId);
        return isParked;
      },
      tools: parts.tools,
      adoptChild: ({ run, history }) => begin(run, caller, history),
      kindOf: kinds.get,
      onProgress: (runId, report) => changes.progress(runId, report, rootId),
      onRecorded(runId) {
        changes.recorded(runId, rootId);
        parts.onRecorded(runId, rootId);
      },
      onResting: (runId) => changes.recorded(runId, rootId),
      onAdvanced: () => freeTurn(rootId),
      onGone: gone,
    };
  }

  function gone(id: string): void {
    const instance = instances.get(id);
    if (!instance) return;
    const { root_id: rootId } = instance.run;
    instances.delete(id);
    if (instance.hasEnded) endedHere.add(id);
    // Whoever took it from this process sees to it, and this one again for as long as somebody waits here.
    if (instance.isLost) {
      parts.onLost(rootId);
      presence.doubt();
    }
    if (families.remove(instance)) {
      parts.onFamilyGone?.(rootId);
      freeTurn(rootId);
    }
    // Its place is free for others, what was taken from this process is free for it, or what it left comes due again.
    if (capacity.isFull || instance.isLost || instance.isLeft) tickSoon();
    changes.changed(id, rootId);
  }

  /** The family that others wait for is no suspect any more, or nothing of it is done now. */
  function freeTurn(rootId: string): void {
    if (suspect !== rootId) return;
    suspect = undefined;
    tickSoon();
  }

  function begin(run: RunRow, caller: RunCaller | undefined, history = NEW): void {
    // A write whose answer was lost finds its run as it is by now: taken up, ended, or another's.
    if (run.status !== 'running' || run.owner !== presence.id || instances.has(run.id)) return;
    callers.lend(run.id, caller);
    start({ run, ...history }, caller);
  }

  function take(claimed: ClaimedRun): void {
    // Who has it here by then has it by the same word of the record, or is refused, and gone with its next write.
    if (instances.has(claimed.run.id)) return;
    start(claimed, callers.of(claimed.run.id));
  }

  function start(claimed: ClaimedRun, caller: RunCaller | undefined): void {
    const { id, root_id: rootId } = claimed.run;
    if (instances.size === 0) sayOwned();
    const instance = new RunInstance(claimed, servicesOf(claimed.run, caller));
    instances.set(id, instance);
    families.add(instance);
    parts.onTaken(rootId);
    if (claimed.isSuspect) suspect = rootId;
    void instance.conclude(perform(instance, kinds));
    changes.changed(id, rootId);
  }

  /** Others look seldom while nobody has a run: from now on this process could die with one. */
  function sayOwned(): void {
    const now = on.ground.now();
    // Who was told looks a whole `WATCH_MS` later, and so after what begins by then.
    if (now - saidAt < WATCH_MS / 2) return;
    saidAt = now;
    on.store.notify(OWNED_CHANNEL, presence.id ?? '').catch(() => {});
  }

  return {
    presence,
    get suspect() {
      return suspect;
    },
    get ids() {
      return [...instances.keys()];
    },
    get all() {
      return [...instances.values()];
    },
    get: (runId) => instances.get(runId),
    take,
    begin,
    lend: callers.lend,
    hasEnded: (runId) => endedHere.delete(runId),
    forgetEnded: () => endedHere.clear(),
    stop() {
      isStopping = true;
    },
  };
}
