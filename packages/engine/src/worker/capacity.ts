import type { Families } from './families.ts';
import type { RunLimits } from './worker-options.ts';

/** Families in memory at once; those beyond wait in the store. Of jobs as many again: what they begin counts. */
const MAX_FAMILIES = 1_000;

/** How many runs this process has room for. */
export interface Capacity {
  /** Families that there is room for beside those in hand. */
  readonly room: { readonly runs: number; readonly jobs: number };
  /** How many runs of the project may go on at a time. */
  readonly mostOfProject: number;
  /** There was more to be taken than there was room for. */
  readonly isFull: boolean;
  /** @param isProjectFull so many go on elsewhere that no other may, whatever the room here */
  weigh(isProjectFull: boolean): void;
  /** There is more to be done than there is room for, here or in the project. */
  fill(): void;
  /** A place for one more run, where there is room: kept until the run is there. */
  place(): Disposable & { readonly isFree: boolean };
}

/** @param onFull there is no room from now on: what only waits is not kept at hand for long */
export function createCapacity(
  { runsPerProcess = MAX_FAMILIES, runsPerProject = Number.POSITIVE_INFINITY }: RunLimits = {},
  { families, onFull }: { readonly families: Families; onFull(): void },
): Capacity {
  /** Runs that are being begun: they have their places already. */
  let starting = 0;
  let isFull = false;
  const roomForRuns = () => runsPerProcess - families.size.runs - starting;
  const roomForJobs = () => MAX_FAMILIES - families.size.jobs;

  function set(now: boolean): void {
    const isNew = now && !isFull;
    isFull = now;
    if (isNew) onFull();
  }

  return {
    mostOfProject: runsPerProject,
    get room() {
      return { runs: roomForRuns(), jobs: roomForJobs() };
    },
    get isFull() {
      return isFull;
    },
    weigh: (isProjectFull) => set(roomForRuns() <= 0 || roomForJobs() <= 0 || isProjectFull),
    fill: () => set(true),
    place() {
      const isFree = roomForRuns() > 0;
      if (isFree) starting += 1;
      else set(true);
      return {
        isFree,
        [Symbol.dispose]() {
          if (isFree) starting -= 1;
        },
      };
    },
  };
}
