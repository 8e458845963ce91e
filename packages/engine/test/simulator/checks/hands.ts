import { databaseTime } from '../database/site.ts';
import type { SimulatedProcess } from '../ground/process.ts';
import { GUEST } from '../outside/kinds.ts';
import { GUEST_TOOL } from '../outside/tools.ts';
import { AT_REST_MS, parkable } from './rests.ts';
import type { Watch, Watched, WatchedRun } from './watch.ts';

/** Beyond the lease of 30 s: looks and statements that take their time. */
const LEASE_MS = 30_000 + 20_000;
/** Who is there for so long, with nothing amiss, knows of all that is due. */
const CALM_MS = 20_000;
/** Of what is due: two looks while others have runs, by clocks that may run slow, and what others are at. */
const LATE_MS = 6_000;
/** Two heartbeats and what they take. */
const FORGOTTEN_MS = 15_000;

/** In whose hands runs are: none for longer than stated in those of who is gone, does not know of it, or only waits. */
export class Hands {
  readonly #on: Watched;
  readonly #watch: Watch;
  /** Since when a run is in no hands of the process that has it on record. */
  readonly #unknown = new Map<string, number>();

  constructor(on: Watched, watch: Watch) {
    this.#on = on;
    this.#watch = watch;
  }

  /** Each few seconds. */
  look(): void {
    const families = new Map<string, WatchedRun>();
    for (const run of this.#watch.runs.values()) {
      const owner = this.#watch.ownerOf(run);
      if (run.status !== 'running' || run.owner === null) continue;
      const awayAt = owner?.goneAt ?? owner?.stoppedAt ?? owner?.cutOffAt;
      if (owner && awayAt !== undefined) {
        // Commands see to what they are asked for alone.
        if (!this.#on.isUnserved) this.#holdLease(run, owner, awayAt);
      } else if (owner?.open && !owner.open.worker.has(run.id)) this.#holdKnown(run, owner);
      else {
        this.#unknown.delete(run.id);
        families.set(`${run.rootId} ${run.owner}`, run);
      }
    }
    for (const run of families.values()) this.#holdParked(run);
    if (this.#on.isPrompt) this.#holdPrompt();
  }

  /** What is due does not wait for long, whatever else is due that nobody can go on with. */
  #holdPrompt(): void {
    const { world, tables, processes } = this.#on;
    if (processes.some((each) => this.#holdsUp(each))) return;
    const calmSince = world.now - CALM_MS;
    const there = processes.filter(
      (each) =>
        each.open &&
        !each.isGone &&
        !each.isStopped &&
        !each.isEnding &&
        Math.max(each.startedAt, each.disturbedAt, this.#on.storeDisturbedAt(each)) < calmSince,
    );
    const late = tables.look<{ id: string; kind: string; title: string }>(
      `select id, kind, title from runs_runs where status in ('queued', 'waiting') and wake_at <= ?
       and root_id not in (select root_id from runs_runs where crashes > 0)`,
      databaseTime(world.now - LATE_MS),
    );
    for (const { id, kind, title } of late) {
      const isGuest = kind === GUEST.name || title === GUEST_TOOL;
      const able = there.find(({ isWhole }) => isWhole || !isGuest);
      if (able) world.wrong(`run ${id} is due for ${LATE_MS} ms, and ${able.name} does not take it`);
    }
  }

  /** What a process that stands still has locked is the others' to take some time after its locks have gone. */
  #holdsUp({ isGone, stoppedAt, disturbedAt }: SimulatedProcess): boolean {
    const { world, lockedMs } = this.#on;
    const until = stoppedAt === undefined ? disturbedAt : Math.min(world.now, stoppedAt + lockedMs);
    return !isGone && world.now - until < LATE_MS;
  }

  #holdLease(run: WatchedRun, owner: SimulatedProcess, awayAt: number): void {
    const { world, processes } = this.#on;
    const helper = processes.some(
      (each) =>
        !each.isGone &&
        !each.isStopped &&
        each.cutOffAt === undefined &&
        each.open &&
        world.now - each.startedAt > LEASE_MS &&
        world.now - this.#on.storeDisturbedAt(each) > LEASE_MS,
    );
    if (!helper || world.now - Math.max(awayAt, run.ownedSince) <= LEASE_MS) return;
    const ms = Math.round(world.now - awayAt);
    world.wrong(`run ${run.id} is still ${owner.name}’s, which is gone for ${ms} ms`);
  }

  #holdKnown(run: WatchedRun, owner: SimulatedProcess): void {
    const { world } = this.#on;
    const since = this.#unknown.get(run.id) ?? world.now;
    this.#unknown.set(run.id, since);
    const calmSince = Math.max(since, run.ownedSince, this.#on.storeDisturbedAt(owner));
    if (world.now - calmSince <= FORGOTTEN_MS) return;
    world.wrong(`run ${run.id} runs on record at ${owner.name}, which does not know of it`);
  }

  #holdParked(run: WatchedRun): void {
    const { world, tables } = this.#on;
    const owner = this.#watch.ownerOf(run);
    const calmSince = world.now - AT_REST_MS;
    if (!owner || Math.max(run.ownedSince, this.#on.storeDisturbedAt(owner)) > calmSince) return;
    const of = { rootId: run.rootId, owner: run.owner ?? '', calmSince: databaseTime(calmSince) };
    for (const id of parkable(tables, of)) {
      // One of the family may have been taken up just now, for what it waited for.
      if ((this.#watch.runs.get(id)?.ownedSince ?? 0) > calmSince) continue;
      world.wrong(`run ${id} does nothing but wait, and ${owner.name} keeps it at hand`);
    }
  }
}
