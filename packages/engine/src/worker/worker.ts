import { type Log, ToolError } from '@nexus/plugin-sdk';
import { createRunContext } from '../execution/run-context.ts';
import { type InstanceServices, RunInstance } from '../execution/run-instance.ts';
import { isAway } from '../execution/run-writer.ts';
import { runGraph } from '../graph/run-graph.ts';
import {
  type ClaimedRun,
  claimRuns,
  endOverdue,
  freeRunsOf,
  isSuspect,
  nextDueIn,
  otherOwners,
} from '../record/claiming.ts';
import { forgetOld } from '../record/forgetting.ts';
import { CHANNEL, type RunDatabase } from '../record/run-database.ts';
import type { RunRow } from '../record/tables.ts';
import { fromStored } from '../record/values.ts';
import type { Changes } from './changes.ts';
import type { Kinds } from './kinds.ts';
import { createPresence, presenceName } from './presence.ts';

/** How often a process looks for what nobody told it of. */
const SLOW_LOOK_MS = 15_000;
/** How often it looks while others have runs: their end, however it comes, is seen by then. */
const WATCH_MS = 1_000;
/** Runs in memory at once; those beyond wait in the store. */
const MAX_RUNS = 1_000;
const PARK_AFTER_MS = 30_000;
/** How often what is old is taken off the record. */
const FORGET_MS = 600_000;

export interface WorkerOptions {
  readonly on: RunDatabase;
  readonly kinds: Kinds;
  readonly changes: Changes;
  readonly log: Log;
  readonly parkAfterMs?: number | undefined;
  readonly graceMs?: number | undefined;
  tools: InstanceServices['tools'];
}

/** What a process does with runs. */
export interface Worker {
  /** Who runs what this process starts. */
  join(): Promise<string>;
  /** Runs what is on record as this process's. */
  begin(run: RunRow, live: unknown, history?: Pick<ClaimedRun, 'steps' | 'seq'>): void;
  /** Whether a run is in this process's hands. */
  has(runId: string): boolean;
  /**
   * Waits until nothing of a run that this process has lost is left running in it.
   * @returns whether it is so by then
   */
  isRidOf(runId: string, withinMs: number): Promise<boolean>;
  /** Whether the process that has a run is there. */
  isThere(owner: string): Promise<boolean>;
  /** Looks for runs to go on with, now and from then on. */
  adopt(): void;
  /** Claims what is due. */
  tick(): Promise<void>;
  /** Ends what runs, and leaves it to the next. */
  stop(withinMs: number): Promise<void>;
}

/** A run that has only been created. */
const NEW: Pick<ClaimedRun, 'steps' | 'seq'> = { steps: [], seq: 1 };

export async function createWorker(options: WorkerOptions): Promise<Worker> {
  const { on, kinds, changes, log } = options;
  const { store } = on;
  const instances = new Map<string, RunInstance>();
  const suspects = new Set<string>();
  let isAdopting = false;
  let isStopping = false;
  let ticking: Promise<void> | undefined;
  let isTickWanted = false;
  let lookTimer: NodeJS.Timeout | undefined;
  let dueTimer: NodeJS.Timeout | undefined;

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
    },
  });

  function servicesOf({ root_id: rootId }: RunRow, live: unknown): InstanceServices {
    return {
      on,
      log,
      live,
      graceMs: options.graceMs,
      parkAfterMs: options.parkAfterMs ?? PARK_AFTER_MS,
      tools: options.tools,
      adoptChild: (child, childLive) => begin(child, childLive),
      isKnown: (kind) => kinds.get(kind) !== undefined,
      onProgress: changes.progress,
      onRecorded: (runId) => changes.recorded(runId, rootId),
      onAdvanced(runId) {
        if (suspects.delete(runId)) tickSoon();
      },
      onGone(runId) {
        instances.delete(runId);
        if (suspects.delete(runId)) tickSoon();
        changes.changed(runId, rootId);
      },
    };
  }

  /** What runs were lent here: a run that was parked while it waited has it again, if whoever lent it is still there. */
  const lent = new Map<string, WeakRef<object>>();
  const returned = new FinalizationRegistry<string>((runId) => {
    if (lent.get(runId)?.deref() === undefined) lent.delete(runId);
  });

  function begin(run: RunRow, live: unknown, history = NEW): void {
    if ((typeof live === 'object' && live !== null) || typeof live === 'function') {
      lent.set(run.id, new WeakRef(live));
      returned.register(live, run.id);
    }
    start({ run, ...history }, live);
  }

  function start(claimed: ClaimedRun, live: unknown): void {
    const instance = new RunInstance(claimed, servicesOf(claimed.run, live));
    instances.set(claimed.run.id, instance);
    if (isSuspect(claimed.run)) suspects.add(claimed.run.id);
    void instance.conclude(execute(instance));
    changes.changed(claimed.run.id, claimed.run.root_id);
  }

  async function execute(instance: RunInstance): Promise<unknown> {
    const { run } = instance;
    const known = kinds.get({ name: run.kind, version: run.version });
    if (!known) throw new ToolError('NEXUS_UNAVAILABLE', `No plugin here knows runs of kind ${run.kind}.`);
    const loaded = await known.load().catch((error: unknown) => instance.keep(error));
    const { kind, host, state } = loaded;
    // Read as surely as what is written: a run must not fail for a store that is away.
    const [input, definition] = await instance.writer.read(async () => [
      await fromStored(on.db, run.id, run.input),
      await fromStored(on.db, run.id, run.definition),
    ]);
    const values = { state, host, definition };
    const context = createRunContext(instance, values);
    return 'run' in kind ? kind.run(input, context) : runGraph({ kind, input, context });
  }

  function tickSoon(): void {
    if (isAdopting && !isStopping) void tick();
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
    const limit = MAX_RUNS - instances.size;
    const claimed = await claimRuns(on, {
      owner: presence.join,
      kinds: kinds.names,
      except: [...instances.keys()],
      limit,
      takesSuspect: suspects.size === 0,
    });
    for (const each of claimed) {
      log.info('a run goes on', { run: each.run.id, kind: each.run.kind, epoch: each.run.epoch });
      start(each, lent.get(each.run.id)?.deref());
    }
    if (claimed.length === limit) isTickWanted = true;
    await wakeAtNextDue();
  }

  async function wakeAtNextDue(): Promise<void> {
    const dueMs = await nextDueIn(on);
    clearTimeout(dueTimer);
    // What is due and not taken is of a kind that this process does not know, or one too many.
    if (dueMs === undefined || dueMs <= 0 || dueMs >= SLOW_LOOK_MS) return;
    dueTimer = setTimeout(() => void look(), dueMs).unref();
  }

  const isThere = async (owner: string) => owner === presence.id || store.isHeld(presenceName(owner));

  /** @returns whether other processes have runs */
  async function freeTheDead(): Promise<boolean> {
    let others = false;
    for (const { owner, isRecent } of await otherOwners(on, presence.id ?? '')) {
      if (isRecent && (await isThere(owner))) {
        others = true;
        continue;
      }
      const freed = await freeRunsOf(on, owner);
      log.info('a process has died with runs in hand; others go on with them', {
        worker: owner,
        runs: freed,
      });
    }
    return others;
  }

  let forgottenAt = performance.now();
  async function forgetNowAndThen(): Promise<void> {
    if (performance.now() - forgottenAt < FORGET_MS) return;
    forgottenAt = performance.now();
    await forgetOld(on);
  }

  async function look(): Promise<void> {
    clearTimeout(lookTimer);
    let watches = false;
    try {
      watches = await freeTheDead();
      await endOverdue(on);
      await tick();
      await forgetNowAndThen();
    } catch (error) {
      if (!isStopping && !isAway(error)) log.warn('runs could not be looked for', { err: error });
    }
    if (isStopping) return;
    lookTimer = setTimeout(() => void look(), watches ? WATCH_MS : SLOW_LOOK_MS).unref();
  }

  const stopListening = await store.listen(CHANNEL, (runId) => {
    if (runId === undefined) {
      for (const instance of instances.values()) void instance.look();
      if (isAdopting) void look();
      return;
    }
    const instance = instances.get(runId);
    if (instance) void instance.look();
    else tickSoon();
    changes.changed(runId);
  });

  return {
    join: presence.join,
    begin,
    has: (runId) => instances.has(runId),
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
      void look();
    },
    tick,
    async stop(withinMs) {
      isStopping = true;
      clearTimeout(lookTimer);
      clearTimeout(dueTimer);
      stopListening();
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
