import { checkChange, defineRun, type RunContext } from '@nexus/plugin-sdk';
import { checksBefore } from '../dev-pipeline/checks.ts';
import { leaveAtEnd } from '../dev-pipeline/leave-at-end.ts';
import type { WorkflowsState } from '../state.ts';
import { placeOf } from '../worktree/place.ts';
import { groundOf, left, madeReady } from './own-tree.ts';
import { runAt } from './prove-change.ts';

/** The checks without a change and with it, in a worktree of its own. */
export const checkChangeRun = defineRun({
  ...checkChange,
  async run({ change }: { readonly change: string }, run: RunContext<WorkflowsState>) {
    const start = await run.step('ground', ({ signal }) => groundOf({}, run, signal), {
      title: 'looks what may be run',
    });
    if (typeof start === 'string') return { checks: [], why: start };
    const id = await run.uuid('id');
    const { dataDir } = run.host;
    const place = placeOf({ id, title: 'check a change', dataDir, repository: start.repository });
    leaveAtEnd(place, run);
    const made = await madeReady({ change }, run, { place, setup: start.setup });
    if (typeof made === 'string' || made.without === undefined) {
      await left(run, place, false);
      return { checks: [], ...(typeof made === 'string' && { why: made }) };
    }
    const after = await checksBefore(run, made.place, start.checks);
    const standing = 'all as it was before the change';
    const earlier = { step: 'without', names: start.checks, at: made.without, standing };
    const before = await runAt(run, made.place, earlier);
    await left(run, made.place, false);
    return {
      checks: after.map(({ name, before: outcome, output = '' }, at) => ({
        ...{ name, without: before[at]?.outcome ?? 'timed_out', with: outcome, output },
      })),
    };
  },
});
