import type { Log } from '@nexus/plugin-sdk';
import { claimRuns } from '../record/claiming.ts';
import { whatComes } from '../record/due.ts';
import type { RunDatabase } from '../record/run-database.ts';
import type { Capacity } from './capacity.ts';
import type { Hands } from './hands.ts';
import type { Kinds } from './kinds.ts';
import type { Rounds } from './rounds.ts';

/** How long others that are at what could be taken are left to it. */
const OTHERS_MS = 100;

export interface ClaimsParts {
  readonly on: RunDatabase;
  readonly log: Log;
  readonly kinds: Kinds;
  readonly hands: Hands;
  readonly capacity: Capacity;
  readonly rounds: Rounds;
  /** The families that this process sees to, where it does not see to all. */
  only(): readonly string[] | undefined;
}

/** How a process takes what is due and nobody's. */
export interface Claims {
  /** Takes it. One at a time: two at once could take more than there is room for. */
  tick(): Promise<void>;
  tickSoon(): void;
  /** Takes nothing more. @returns once nothing is being taken */
  stop(): Promise<void>;
}

export function createClaims({ on, log, kinds, hands, capacity, rounds, only }: ClaimsParts): Claims {
  let isStopping = false;
  let ticking: Promise<void> | undefined;
  let isTickWanted = false;

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

  function tickSoon(): void {
    if (!isStopping) void tick();
  }

  async function claim(): Promise<void> {
    const { presence } = hands;
    // Before it takes anything: what comes to be due from here on is taken, or waited for.
    const since = on.ground.now();
    const { isDue, nextInMs } = await whatComes(on, { kinds: kinds.names, self: presence.id });
    if (isDue) await takeDue();
    else capacity.weigh(false);
    if (!isStopping) {
      rounds.atDue(nextInMs === undefined ? undefined : nextInMs - (on.ground.now() - since));
    }
  }

  async function takeDue(): Promise<void> {
    const { presence } = hands;
    const { runs, isCut, isProjectFull } = await claimRuns(on, {
      owner: presence.joinSurely,
      self: presence.id,
      kinds: kinds.names,
      except: hands.ids,
      lacking: kinds.left,
      room: capacity.room,
      mostOfProject: capacity.mostOfProject,
      only: only(),
      suspect: hands.suspect,
    });
    for (const each of runs) {
      log.info('a run goes on', { run: each.run.id, kind: each.run.kind, epoch: each.run.epoch });
      hands.take(each);
    }
    capacity.weigh(isProjectFull);
    if (isCut && !capacity.isFull) {
      // Where nothing could be taken, another process is at it: it says nothing where it takes nothing either.
      if (runs.length > 0) isTickWanted = true;
      else on.ground.after(OTHERS_MS, tickSoon).unref();
    }
  }

  return {
    tick,
    tickSoon,
    async stop() {
      isStopping = true;
      await ticking;
    },
  };
}
