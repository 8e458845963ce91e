import { defineRun, type ProveInput, type ProveOutput, prove, type RunContext } from '@nexus/plugin-sdk';
import { checksBefore } from '../dev-pipeline/checks.ts';
import type { CheckReport } from '../dev-pipeline/dev-output.ts';
import { leaveAtEnd } from '../dev-pipeline/leave-at-end.ts';
import type { WorkflowsState } from '../state.ts';
import { placeOf } from '../worktree/place.ts';
import { authorSight } from './author-sight.ts';
import { judgeProof } from './judge-proof.ts';
import { groundOf, left, madeReady } from './own-tree.ts';
import { runAt } from './prove-change.ts';
import { listed, type Ran, type Ready } from './ran.ts';
import { writeProof } from './write-proof.ts';

const notRun = (why: string): ProveOutput => ({
  verdict: 'not_run',
  basis: 'believed',
  why: `Nothing was run: ${why}`,
  tests: [],
  diff: '',
  output: '',
});

/** A test by which something is shown, written and run in a worktree of its own. */
export const proveRun = defineRun({
  ...prove,
  async run(input: ProveInput, run: RunContext<WorkflowsState>): Promise<ProveOutput> {
    const start = await run.step(
      'ground',
      async ({ signal }) => {
        const found = await groundOf(input, run, signal);
        if (typeof found === 'string' || input.change !== undefined) return found;
        const { repository, base: at } = found.repository;
        return { ...found, sight: await authorSight(input, { repository, at, signal }) };
      },
      { title: 'looks what may be run' },
    );
    if (typeof start === 'string') return notRun(start);
    const id = await run.uuid('id');
    const { dataDir } = run.host;
    const begun = placeOf({ id, title: input.claim, dataDir, repository: start.repository });
    leaveAtEnd(begun, run);
    const sight = 'sight' in start ? start.sight : undefined;
    const made = await madeReady(input, run, {
      place: begun,
      setup: start.setup,
      sees: (at, signal) => authorSight(input, { repository: begun.path, at, signal }),
    });
    if (typeof made === 'string') {
      await left(run, begun, false);
      return notRun(made);
    }
    const before = await checksBefore(run, made.place, start.checks);
    // One that is red before tells nobody why it is red with a test.
    const green = before.filter((check) => check.before === 'passed');
    if (green.length === 0) {
      const outcome = await byTestsThere(input, run, { ...made, before });
      await left(run, made.place, false);
      return outcome;
    }
    const ready: Ready = { ...made, sight: sight ?? made.sight, green };
    const outcome = await writeProof(input, run, ready);
    const keepsBranch = input.kind === 'mend' && outcome.verdict === 'shown';
    await left(run, made.place, keepsBranch);
    return { ...outcome, ...(keepsBranch && { branch: made.place.doneBranch }) };
  },
});

/** Where no check passes as things are: a change may be what its tests that were there are red by. */
async function byTestsThere(
  input: ProveInput,
  run: RunContext<WorkflowsState>,
  { before, without, place }: Omit<Ready, 'green'> & { readonly before: readonly CheckReport[] },
): Promise<ProveOutput> {
  const red = before.filter((check) => check.before === 'failed');
  if (input.kind !== 'fails' || without === undefined || red.length === 0)
    return notRun(
      `${listed(before)} did not pass before anything was changed, so that no test could show it.`,
    );
  const names = red.map(({ name }) => name);
  const standing = 'all as it was before the change';
  const earlier = await runAt(run, place, { step: 'without', names, at: without, standing });
  const byChange = red.filter((_, at) => earlier[at]?.outcome === 'passed');
  const [first] = byChange;
  if (!first)
    return notRun(
      `${listed(red)} did not pass with the change, nor without it, so that no test could show it.`,
    );
  const ran: Ran = {
    verdict: 'shown',
    why: `Run with the change, and the tests that are there: ${listed(byChange)} failed. Run without the change: passed.`,
    ...{ tests: [], others: [], output: first.output, byOld: true },
  };
  const { verdict, why, tests, output } = await judgeProof(input, run, { ready: { place }, round: 0, ran });
  const basis = verdict === 'shown' ? 'ran' : 'believed';
  return { verdict, basis, why, tests, output, diff: '' };
}
