import { type Log, type RunCaller, ToolError } from '@nexus/plugin-sdk';
import { createRunContext } from '../execution/run-context.ts';
import { type InstanceServices, RunInstance } from '../execution/run-instance.ts';
import { createSettlements } from '../execution/settlements.ts';
import { runGraph } from '../graph/run-graph.ts';
import type { Timer } from '../ground.ts';
import { type ClaimedRun, claimRuns } from '../record/claiming.ts';
import { nextDueIn } from '../record/due.ts';
import { endedOf, endOutrun, endOverdue } from '../record/ending.ts';
import { endCrashed, forgetDoubts, freeRunsOf } from '../record/families.ts';
import { forgetOld, type RunRetention } from '../record/forgetting.ts';
import { isAway } from '../record/patience.ts';
import { CHANNEL, OWNED_CHANNEL, type RunDatabase } from '../record/run-database.ts';
import { takeUp } from '../record/strays.ts';
import type { RunRow } from '../record/tables.ts';
import { familiesAhead, tendTurns } from '../record/turns.ts';
import { fromStored } from '../record/values.ts';
import { otherOwners } from '../record/workers.ts';
import type { Changes } from './changes.ts';
import { createFamilies } from './families.ts';
import type { Kinds } from './kinds.ts';
import { createPresence, isPresent, mayBeAlive, mayComeBack } from './presence.ts';
import { watchedElsewhere } from './watched-elsewhere.ts';

/** How often a process looks for what nobody told it of. */
const SLOW_LOOK_MS = 15_000;
/** How often it looks while others have runs: their end, however it comes, is seen by then. */
const WATCH_MS = 1_000;
/** A look that is late by so much is one of a process that stood still: others are given up only after 30 s. */
const STOOD_STILL_MS = 10_000;
/** Families in memory at once; those beyond wait in the store. Of jobs as many again: what they begin counts. */
const MAX_FAMILIES = 1_000;
const PARK_AFTER_MS = 30_000;
/** Others wait for the place that a family has: while it waits itself it is not kept at hand. */
const PARK_SOON_AFTER_MS = 1_000;
/** How long others that are at what could be taken are left to it. */
const OTHERS_MS = 100;
/** How often what is old is taken off the record. */
const FORGET_MS = 600_000;

export interface WorkerOptions {
  readonly on: RunDatabase;
  readonly kinds: Kinds;
  readonly changes: Changes;
  readonly log: Log;
  readonly shutdown: AbortSignal;
  readonly parkAfterMs?: number | undefined;
  readonly graceMs?: number | undefined;
  readonly retention?: RunRetention | undefined;
  readonly limits?: RunLimits | undefined;
  tools: InstanceServices['tools'];
  readonly onFamilyGone: ((rootId: string) => void) | undefined;
}

/** How many runs may go on at a time, each with all that is below it. What is beyond waits on record. */
export interface RunLimits {
  readonly runsPerProcess?: number | undefined;
  /** In all processes of a project together. */
  readonly runsPerProject?: number | undefined;
}

/** What a process does with runs. */
export interface Worker {
  /** Who runs what this process starts. */
  join(): Promise<string>;
  /** Runs what is on record as this process's. */
  begin(run: RunRow, caller: RunCaller | undefined, history?: Pick<ClaimedRun, 'steps' | 'seq'>): void;
  /** Whose call a run that waits for its turn comes from, should it go on here. */
  lend(runId: string, caller: RunCaller | undefined): void;
  /** A place for one more run, where there is room: kept until the run is there. */
  place(): Disposable & { readonly isFree: boolean };
  /** How many runs of the project may go on at a time. */
  readonly mostOfProject: number;
  /** What was started is for whoever has room. */
  offer(run: RunRow): void;
  /** Whether a run is in this process's hands. */
  has(runId: string): boolean;
  /** Whether a process by this name is this one. */
  isSelf(owner: string): boolean;
  /** Whether a run is in this process's hands and does more than to wait. */
  isAtWork(runId: string): boolean;
  /** Whether nothing of a family is done here: what of it is here only waits. */
  rests(rootId: string): boolean;
  /**
   * Waits until nothing of a run that this process has lost is left running in it.
   * @returns whether it is so by then
   */
  isRidOf(runId: string, withinMs: number): Promise<boolean>;
  /** Whether the process that has a run is there. */
  isThere(owner: string): Promise<boolean>;
  /** Looks for runs to go on with, now and from then on. */
  adopt(): void;
  /** Sees to one family alone, until it is over. */
  follow(rootId: string): void;
  /** Somebody here wants to hear of all that a family puts on record, whichever process has it. */
  watch(rootId: string): void;
  /** The families that it sees to, where it does not see to all. */
  readonly followed: readonly string[];
  /** Claims what is due. */
  tick(): Promise<void>;
  /** Ends what runs, and leaves it to the next. */
  stop(withinMs: number): Promise<void>;
}

/** A run that has only been created. */
const NEW: Pick<ClaimedRun, 'steps' | 'seq'> = { steps: [], seq: 1 };

export async function createWorker(options: WorkerOptions): Promise<Worker> {
  const { on, kinds, changes, log } = options;
  const { runsPerProcess = MAX_FAMILIES, runsPerProject = Number.POSITIVE_INFINITY } = options.limits ?? {};
  const { store } = on;
  const instances = new Map<string, RunInstance>();
  /** Ended by this process, which has not heard of it yet as all do. */
  const endedHere = new Set<string>();
  const settlements = createSettlements(on.ground, (rootId) => elsewhere.watch(rootId));
  const families = createFamilies();
  /** The family that processes have died with, and that has got no further yet: one at a time, so that the one that kills is found. */
  let suspect: string | undefined;
  /** There was more to be taken than there was room for. */
  let isFull = false;
  /** Families that this process began, or was asked to go on with, where it does not see to all. */
  const followed = new Set<string>();
  /** Runs that are being begun: they have their places already. */
  let starting = 0;
  const roomForRuns = () => runsPerProcess - families.size.runs - starting;
  let isAdopting = false;
  let isStopping = false;
  let ticking: Promise<void> | undefined;
  let isTickWanted = false;
  /** Nobody has a run, as far as is known: the next look is far away. */
  let isLookFar = false;
  let lookTimer: Timer | undefined;
  /** By when the look goes on, unless this process stands still. */
  let lookDueAt = Number.POSITIVE_INFINITY;
  let dueTimer: Timer | undefined;

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

  /** Found on record as this process's, by the last heartbeat, and in none of its hands. */
  let strays: ReadonlyMap<string, number> = new Map();

  /** At the second sight: at the first, the answer to the write that makes it so may be on its way. */
  async function takeUpStrays(owned: readonly { id: string; epoch: number }[]): Promise<void> {
    const inNoHands = owned.filter(({ id }) => !instances.has(id));
    const lasting = inNoHands.filter(({ id, epoch }) => strays.get(id) === epoch);
    strays = new Map(inNoHands.map(({ id, epoch }) => [id, epoch]));
    const owner = presence.id;
    if (lasting.length === 0 || owner === undefined || isStopping) return;
    for (const each of await takeUp(
      on,
      lasting.map(({ id: runId, epoch }) => ({ runId, owner, epoch })),
    )) {
      log.info('a run that was begun unseen goes on', { run: each.run.id, kind: each.run.kind });
      // What had it by then is refused, and gone from here with its next write.
      if (!instances.has(each.run.id)) start(each, lent.get(each.run.id)?.deref());
    }
  }

  function servicesOf({ root_id: rootId }: RunRow, caller: RunCaller | undefined): InstanceServices {
    return {
      on,
      log,
      shutdown: options.shutdown,
      settlements,
      caller,
      graceMs: options.graceMs,
      parkAfterMs() {
        const { parkAfterMs = PARK_AFTER_MS } = options;
        return rootId === suspect || isFull ? Math.min(parkAfterMs, PARK_SOON_AFTER_MS) : parkAfterMs;
      },
      parkFamily() {
        const isParked = families.park(rootId);
        if (isParked) freeTurn(rootId);
        return isParked;
      },
      tools: options.tools,
      adoptChild: (child) => begin(child, caller),
      isKnown: (kind) => kinds.get(kind) !== undefined,
      onProgress: changes.progress,
      onRecorded(runId) {
        changes.recorded(runId, rootId);
        elsewhere.recorded(runId, rootId);
      },
      onResting: (runId) => changes.recorded(runId, rootId),
      onAdvanced: () => freeTurn(rootId),
      onGone(instance) {
        instances.delete(instance.run.id);
        if (instance.hasEnded) endedHere.add(instance.run.id);
        // Whoever took it from this process sees to it, and this one again for as long as somebody waits here.
        if (instance.isLost) {
          followed.delete(rootId);
          presence.doubt();
        }
        if (families.remove(instance)) {
          options.onFamilyGone?.(rootId);
          freeTurn(rootId);
        }
        // Its place is free for others, or what was taken from this process is free for it.
        if (isFull || instance.isLost) tickSoon();
        changes.changed(instance.run.id, rootId);
      },
    };
  }

  /** The family that others wait for is no suspect any more, or nothing of it is done now. */
  function freeTurn(rootId: string): void {
    if (suspect !== rootId) return;
    suspect = undefined;
    tickSoon();
  }

  /** Whose call a run was begun by here: one that was parked while it waited has it again, if the call is still there. */
  const lent = new Map<string, WeakRef<RunCaller>>();
  const returned = new FinalizationRegistry<string>((runId) => {
    if (lent.get(runId)?.deref() === undefined) lent.delete(runId);
  });

  function lend(runId: string, caller: RunCaller | undefined): void {
    if (!caller) return;
    lent.set(runId, new WeakRef(caller));
    returned.register(caller, runId);
  }

  function begin(run: RunRow, caller: RunCaller | undefined, history = NEW): void {
    // A write whose answer was lost finds its run as it is by now: taken up, ended, or another's.
    if (run.status !== 'running' || run.owner !== presence.id || instances.has(run.id)) return;
    lend(run.id, caller);
    start({ run, ...history }, caller);
  }

  function start(claimed: ClaimedRun, caller: RunCaller | undefined): void {
    if (instances.size === 0) sayOwned();
    const instance = new RunInstance(claimed, servicesOf(claimed.run, caller));
    instances.set(claimed.run.id, instance);
    families.add(instance);
    follow(claimed.run.root_id);
    if (claimed.isSuspect) suspect = claimed.run.root_id;
    void instance.conclude(execute(instance));
    changes.changed(claimed.run.id, claimed.run.root_id);
  }

  let saidAt = Number.NEGATIVE_INFINITY;
  /** Others look seldom while nobody has a run: from now on this process could die with one. */
  function sayOwned(): void {
    const now = on.ground.now();
    // Who was told looks a whole `WATCH_MS` later, and so after what begins by then.
    if (now - saidAt < WATCH_MS / 2) return;
    saidAt = now;
    store.notify(OWNED_CHANNEL, presence.id ?? '').catch(() => {});
  }

  async function execute(instance: RunInstance): Promise<unknown> {
    const { run } = instance;
    const known = kinds.get({ name: run.kind, version: run.version });
    if (!known) throw new ToolError('NEXUS_UNAVAILABLE', `No plugin here knows runs of kind ${run.kind}.`);
    // By the run's own door: it waits for as long as it takes, also where the plugin that starts needs the store.
    const { on: own } = instance.services;
    const loaded = await own.ask(() => known.load()).catch((error: unknown) => instance.keep(error));
    const { kind, host, state } = loaded;
    const input = await fromStored(own.db, run.id, run.input);
    const definition = await fromStored(own.db, run.id, run.definition);
    const values = { state, host, definition };
    const context = createRunContext(instance, values);
    return 'run' in kind ? kind.run(input, context) : runGraph({ kind, input, context });
  }

  function tickSoon(): void {
    if (!isStopping) void tick();
  }

  /** From now on this process sees to a family until it is over: to what of it is parked, or left by another. */
  function follow(rootId: string): void {
    if (isStopping || isAdopting || followed.has(rootId)) return;
    followed.add(rootId);
    if (lookTimer === undefined) lookAfter(WATCH_MS);
  }

  function lookAfter(ms: number): void {
    on.ground.clear(lookTimer);
    lookDueAt = on.ground.now() + ms;
    lookTimer = on.ground.after(ms, () => void look());
    lookTimer.unref();
  }

  /** One at a time: two at once could take more than there is room for. */
  function tick(): Promise<void> {
    isTickWanted = true;
    ticking ??= (async () => {
      while (isTickWanted && !isStopping) {
        isTickWanted = false;
        await claim();
      }
    })()
      .catch((error: unknown) => {
        if (!isStopping) log.warn('runs could not be looked for', { err: error });
      })
      .finally(() => {
        ticking = undefined;
      });
    return ticking;
  }

  async function claim(): Promise<void> {
    const { runs, isCut, isProjectFull } = await claimRuns(on, {
      owner: presence.joinSurely,
      self: presence.id,
      kinds: kinds.names,
      except: [...instances.keys()],
      room: { runs: roomForRuns(), jobs: MAX_FAMILIES - families.size.jobs },
      mostOfProject: runsPerProject,
      only: isAdopting ? undefined : [...followed],
      suspect,
    });
    for (const each of runs) {
      log.info('a run goes on', { run: each.run.id, kind: each.run.kind, epoch: each.run.epoch });
      start(each, lent.get(each.run.id)?.deref());
    }
    setFull(roomForRuns() <= 0 || families.size.jobs >= MAX_FAMILIES || isProjectFull);
    if (isCut && !isFull) {
      // Where nothing could be taken, another process is at it: it says nothing where it takes nothing either.
      if (runs.length > 0) isTickWanted = true;
      else on.ground.after(OTHERS_MS, tickSoon).unref();
    }
    await wakeAtNextDue();
  }

  /** While there is no room, what only waits is not kept at hand for long. */
  function setFull(now: boolean): void {
    const isNew = now && !isFull;
    isFull = now;
    if (isNew) for (const instance of instances.values()) instance.hurry();
  }

  async function wakeAtNextDue(): Promise<void> {
    const dueMs = await nextDueIn(on, { kinds: kinds.names, self: presence.id });
    on.ground.clear(dueTimer);
    if (isStopping || dueMs === undefined || dueMs >= SLOW_LOOK_MS) return;
    dueTimer = on.ground.after(dueMs, () => void look());
    dueTimer.unref();
  }

  const isThere = async (owner: string) => owner === presence.id || isPresent(on, owner);

  /** It may have stood still with what others need to say that they live, as the lock on a file. */
  function noticeStandstill(): void {
    const now = on.ground.now();
    if (now - lookDueAt > STOOD_STILL_MS) on.interrupted();
    lookDueAt = now;
  }

  /** @returns whether other processes have runs */
  async function freeTheDead(): Promise<boolean> {
    let others = false;
    const found = await otherOwners(on, presence.id ?? '');
    noticeStandstill();
    for (const other of found) {
      const { owner } = other;
      if (await mayBeAlive(on, other)) {
        others = true;
        continue;
      }
      const freed = await freeRunsOf(on, owner, { isInDoubt: mayComeBack(on, other) });
      log.info('a process has died with runs in hand; others go on with them', {
        worker: owner,
        runs: freed,
      });
    }
    return others;
  }

  let forgottenAt = on.ground.now();
  async function forgetNowAndThen(): Promise<void> {
    if (on.ground.now() - forgottenAt < FORGET_MS) return;
    forgottenAt = on.ground.now();
    await forgetOld(on, options.retention);
    await forgetDoubts(on);
  }

  async function look(): Promise<void> {
    on.ground.clear(lookTimer);
    noticeStandstill();
    let watches = false;
    try {
      for (const rootId of await endedOf(on, [...followed])) followed.delete(rootId);
      if (!isAdopting && followed.size === 0) {
        lookTimer = undefined;
        lookDueAt = Number.POSITIVE_INFINITY;
        return;
      }
      // What those that it sees to wait for is as much to be seen to.
      if (!isAdopting) for (const rootId of await familiesAhead(on, [...followed])) followed.add(rootId);
      watches = await freeTheDead();
      await endCrashed(on);
      await endOverdue(on);
      await tendTurns(on);
      await endOutrun(on);
      await tick();
      await forgetNowAndThen();
    } catch (error) {
      if (!isStopping && !isAway(error)) log.warn('runs could not be looked for', { err: error });
    }
    if (isStopping) return;
    // Who sees to a few families alone is a command that somebody waits for.
    isLookFar = !watches && followed.size === 0;
    lookAfter(isLookFar ? SLOW_LOOK_MS : WATCH_MS);
  }

  const elsewhere = await watchedElsewhere(on, {
    runHere: families.runOf,
    heard(runId) {
      if (instances.has(runId)) return;
      changes.recorded(runId);
      settlements.tellAll();
    },
  });
  const stopListening = await store.listen(CHANNEL, (runId) => {
    if (runId === undefined) {
      on.interrupted();
      endedHere.clear();
      for (const instance of instances.values()) void instance.look();
      if (isAdopting || followed.size > 0) void look();
      return;
    }
    const instance = instances.get(runId);
    if (instance) void instance.look();
    // What has ended here comes to be due no more; who waits for its room was told as it went.
    else if (!endedHere.delete(runId)) {
      tickSoon();
      lookSooner();
    }
    changes.changed(runId);
  });
  const stopHearingOfOwners = await store.listen(OWNED_CHANNEL, (owner) => {
    if (owner !== presence.id) lookSooner();
  });

  /** Another process has runs, which may die with them. */
  function lookSooner(): void {
    if (isLookFar) lookAfter(WATCH_MS);
    isLookFar = false;
  }

  return {
    join: presence.join,
    begin,
    lend,
    mostOfProject: runsPerProject,
    place() {
      const isFree = roomForRuns() > 0;
      if (isFree) starting += 1;
      else setFull(true);
      return {
        isFree,
        [Symbol.dispose]() {
          if (isFree) starting -= 1;
        },
      };
    },
    offer({ id, root_id: rootId }) {
      follow(rootId);
      setFull(true);
      store.notify(CHANNEL, id).catch(() => {});
    },
    has: (runId) => instances.has(runId),
    isSelf: (owner) => owner === presence.id,
    isAtWork: (runId) => instances.get(runId)?.isAtRest(new Set()) === false,
    rests: families.rests,
    watch(rootId) {
      if (!families.has(rootId)) elsewhere.watch(rootId);
    },
    async isRidOf(runId, withinMs) {
      const instance = instances.get(runId);
      if (!instance) return true;
      await instance.look();
      return instance.isGoneWithin(withinMs);
    },
    isThere,
    adopt() {
      if (isAdopting || isStopping) return;
      isAdopting = true;
      followed.clear();
      void look();
    },
    follow(rootId) {
      if (isAdopting || followed.has(rootId)) return;
      follow(rootId);
      tickSoon();
    },
    get followed() {
      return [...followed];
    },
    tick,
    async stop(withinMs) {
      isStopping = true;
      on.ground.clear(lookTimer);
      on.ground.clear(dueTimer);
      stopListening();
      stopHearingOfOwners();
      elsewhere.close();
      await ticking;
      const reason = new ToolError(
        'NEXUS_SHUTTING_DOWN',
        'The server is stopping; the run goes on at the next.',
      );
      await Promise.all([...instances.values()].map((instance) => instance.release(reason, withinMs)));
      // Who does not say goodbye is found to be gone.
      await presence.leave().catch((error: unknown) => log.debug('no leave was taken', { err: error }));
    },
  };
}
