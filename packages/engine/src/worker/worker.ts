import { type RunCaller, ToolError } from '@nexus/plugin-sdk';
import { createSettlements } from '../execution/settlements.ts';
import type { ClaimedRun } from '../record/claiming.ts';
import { endedOf } from '../record/ending.ts';
import { isAway } from '../record/patience.ts';
import { CHANNEL, OWNED_CHANNEL } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';
import { familiesAhead } from '../record/turns.ts';
import { createCapacity } from './capacity.ts';
import { createClaims } from './claims.ts';
import { createFamilies } from './families.ts';
import { createHands } from './hands.ts';
import { isPresent } from './presence.ts';
import { createRounds } from './rounds.ts';
import { createTending } from './tending.ts';
import { watchedElsewhere } from './watched-elsewhere.ts';
import type { WorkerOptions } from './worker-options.ts';

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

export async function createWorker(options: WorkerOptions): Promise<Worker> {
  const { on, kinds, changes, log } = options;
  const { store } = on;
  /** Families that this process began, or was asked to go on with, where it does not see to all. */
  const followed = new Set<string>();
  let isAdopting = false;
  let isStopping = false;
  const families = createFamilies();
  const settlements = createSettlements(on.ground, (rootId) => elsewhere.watch(rootId));
  const capacity = createCapacity(options.limits, {
    families,
    onFull() {
      for (const instance of hands.all) instance.doing.stir();
    },
  });
  const rounds = createRounds(on, () => void look());
  const hands = createHands({
    ...options,
    families,
    capacity,
    settlements,
    onRecorded: (...said) => elsewhere.recorded(...said),
    onTaken: follow,
    onLost: (rootId) => followed.delete(rootId),
    tickSoon: () => claims.tickSoon(),
  });
  const { presence } = hands;
  const claims = createClaims({
    on,
    log,
    kinds,
    hands,
    capacity,
    rounds,
    only: () => (isAdopting ? undefined : [...followed]),
  });
  const { retention } = options;
  const { noticeStandstill } = rounds;
  const tending = createTending({ on, log, retention, self: () => presence.id, noticeStandstill });

  const elsewhere = await watchedElsewhere(on, {
    runHere: families.runOf,
    heard(runId) {
      if (hands.get(runId)) return;
      changes.recorded(runId);
      settlements.tellAll();
    },
  });

  /** From now on this process sees to a family until it is over: to what of it is parked, or left by another. */
  function follow(rootId: string): void {
    if (isStopping || isAdopting || followed.has(rootId)) return;
    followed.add(rootId);
    rounds.begin();
  }

  async function look(): Promise<void> {
    rounds.under();
    rounds.noticeStandstill();
    let watches = false;
    try {
      for (const rootId of await endedOf(on, [...followed])) followed.delete(rootId);
      if (!isAdopting && followed.size === 0) return rounds.rest();
      // What those that it sees to wait for is as much to be seen to.
      if (!isAdopting) for (const rootId of await familiesAhead(on, [...followed])) followed.add(rootId);
      watches = await tending.tend();
      await claims.tick();
      await tending.forgetNowAndThen();
    } catch (error) {
      if (!isStopping && !isAway(error)) log.warn('runs could not be looked for', { err: error });
    }
    // Who sees to a few families alone is a command that somebody waits for.
    if (!isStopping) rounds.next({ isFar: !watches && followed.size === 0 });
  }

  const stopListening = await store.listen(CHANNEL, (runId) => {
    if (runId === undefined) {
      on.interrupted();
      hands.forgetEnded();
      for (const instance of hands.all) void instance.look();
      if (isAdopting || followed.size > 0) void look();
      return;
    }
    const instance = hands.get(runId);
    if (instance) void instance.look();
    // What has ended here comes to be due no more; who waits for its room was told as it went.
    else if (!hands.hasEnded(runId)) {
      claims.tickSoon();
      rounds.sooner();
    }
    changes.changed(runId);
  });
  const stopHearingOfOwners = await store.listen(OWNED_CHANNEL, (owner) => {
    if (owner !== presence.id) rounds.sooner();
  });

  return {
    join: presence.join,
    begin: hands.begin,
    lend: hands.lend,
    mostOfProject: capacity.mostOfProject,
    place: capacity.place,
    offer({ id, root_id: rootId }) {
      follow(rootId);
      capacity.fill();
      store.notify(CHANNEL, id).catch(() => {});
    },
    has: (runId) => hands.get(runId) !== undefined,
    isSelf: (owner) => owner === presence.id,
    isAtWork: (runId) => hands.get(runId)?.doing.isAtRest(new Set()) === false,
    rests: families.rests,
    watch(rootId) {
      if (!families.has(rootId)) elsewhere.watch(rootId);
    },
    async isRidOf(runId, withinMs) {
      const instance = hands.get(runId);
      if (!instance) return true;
      await instance.look();
      return instance.isGoneWithin(withinMs);
    },
    isThere: async (owner) => owner === presence.id || isPresent(on, owner),
    adopt() {
      if (isAdopting || isStopping) return;
      isAdopting = true;
      followed.clear();
      void look();
    },
    follow(rootId) {
      if (isAdopting || followed.has(rootId)) return;
      follow(rootId);
      claims.tickSoon();
    },
    get followed() {
      return [...followed];
    },
    tick: claims.tick,
    async stop(withinMs) {
      isStopping = true;
      hands.stop();
      rounds.stop();
      stopListening();
      stopHearingOfOwners();
      elsewhere.close();
      await claims.stop();
      const reason = new ToolError(
        'NEXUS_SHUTTING_DOWN',
        'The server is stopping; the run goes on at the next.',
      );
      await Promise.all(hands.all.map((instance) => instance.release(reason, withinMs)));
      // Who does not say goodbye is found to be gone.
      await presence.leave().catch((error: unknown) => log.debug('no leave was taken', { err: error }));
    },
  };
}
