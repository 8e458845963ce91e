import type { Log } from '@nexus/plugin-sdk';
import { endOutrun, endOverdue } from '../record/ending.ts';
import { endCrashed, forgetDoubts, freeRunsOf } from '../record/families.ts';
import { forgetOld, type RunRetention } from '../record/forgetting.ts';
import type { RunDatabase } from '../record/run-database.ts';
import { tendTurns } from '../record/turns.ts';
import { isUntended } from '../record/untended.ts';
import { otherOwners } from '../record/workers.ts';
import { mayBeAlive, mayComeBack } from './presence.ts';

/** How often what is old is taken off the record. */
const FORGET_MS = 600_000;

export interface TendingParts {
  readonly on: RunDatabase;
  readonly log: Log;
  readonly retention: RunRetention | undefined;
  /** As this process is known; undefined before its first run. */
  self(): string | undefined;
  /** It may have stood still until the record answered. */
  noticeStandstill(): void;
}

/** What any process does for the runs of all, whoever has them. */
export interface Tending {
  /**
   * Frees what processes that died had, and ends what is out of time, outrun, or has killed once too often.
   * @returns whether other processes have runs
   */
  tend(): Promise<boolean>;
  /** Takes off the record what is old, not at each call. */
  forgetNowAndThen(): Promise<void>;
}

export function createTending({ on, log, retention, self, noticeStandstill }: TendingParts): Tending {
  async function freeTheDead(): Promise<boolean> {
    let others = false;
    const found = await otherOwners(on, self() ?? '');
    noticeStandstill();
    for (const other of found) {
      const { owner } = other;
      if (await mayBeAlive(on, other)) {
        others = true;
        continue;
      }
      const freed = await freeRunsOf(on, owner, { isInDoubt: mayComeBack(on, other), seenAt: other.seenAt });
      if (freed === undefined) {
        others = true;
        continue;
      }
      log.info('a process has died with runs in hand; others go on with them', {
        worker: owner,
        runs: freed,
      });
    }
    return others;
  }

  let forgottenAt = on.ground.now();
  return {
    async tend() {
      const others = await freeTheDead();
      if (!(await isUntended(on))) return others;
      await endCrashed(on);
      await endOverdue(on);
      await tendTurns(on);
      await endOutrun(on);
      return others;
    },
    async forgetNowAndThen() {
      if (on.ground.now() - forgottenAt < FORGET_MS) return;
      forgottenAt = on.ground.now();
      await forgetDoubts(on);
      await forgetOld(on, retention);
    },
  };
}
