import type { RunCaller } from '@nexus/plugin-sdk';

/** Whose call a run was begun by here: one that was parked while it waited has it again, if the call is still there. */
export interface LentCallers {
  lend(runId: string, caller: RunCaller | undefined): void;
  of(runId: string): RunCaller | undefined;
}

export function createLentCallers(): LentCallers {
  const lent = new Map<string, WeakRef<RunCaller>>();
  const returned = new FinalizationRegistry<string>((runId) => {
    if (lent.get(runId)?.deref() === undefined) lent.delete(runId);
  });
  return {
    lend(runId, caller) {
      if (!caller) return;
      lent.set(runId, new WeakRef(caller));
      returned.register(caller, runId);
    },
    of: (runId) => lent.get(runId)?.deref(),
  };
}
