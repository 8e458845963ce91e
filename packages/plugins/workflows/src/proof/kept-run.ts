import { git } from '@nexus/git';
import { defineRun, type ProveInput, type ProveOutput, type RunContext } from '@nexus/plugin-sdk';
import { checksBefore } from '../dev-pipeline/checks.ts';
import type { CheckReport } from '../dev-pipeline/dev-output.ts';
import { leaveAtEnd } from '../dev-pipeline/leave-at-end.ts';
import type { WorkflowsState } from '../state.ts';
import { type Place, placeOf } from '../worktree/place.ts';
import { openWorktree } from '../worktree/worktree.ts';
import { groundOf, left, madeReady } from './own-tree.ts';
import { partsOfDiff } from './parts-of-diff.ts';
import { type PartOnBase, runAt, runPartOnBase } from './prove-change.ts';
import { putChange } from './put-change.ts';
import { isRed, listed, notReached, reachedIn } from './ran.ts';

interface KeptInput {
  readonly brought: NonNullable<ProveInput['brought']>;
  /** Proofs of what held before, by a name of each. */
  readonly proofs: readonly ({ readonly id: string } & Pick<ProveOutput, 'tests' | 'diff'>)[];
}

/** What the same tests show of a branch. `unknown`: nothing, and `why` says what is missing. */
export interface Kept {
  readonly state: 'holds' | 'broken' | 'unknown';
  readonly why: string;
}

type KeptOutput = readonly (Kept & { readonly id: string })[];

/**
 * Runs on a branch, without a model, the tests by which something was shown to hold before it: those that were written
 * for it, and those that were there as they were, whatever the branch made of them.
 */
export const keptRun = defineRun({
  name: 'workflows.kept',
  version: 1,
  place: 'machine',
  async run({ brought, proofs }: KeptInput, run: RunContext<WorkflowsState>): Promise<KeptOutput> {
    const all = (why: string) => proofs.map(({ id }) => ({ id, state: 'unknown' as const, why }));
    const start = await run.step('ground', ({ signal }) => groundOf({ brought }, run, signal), {
      title: 'looks what may be run',
    });
    if (typeof start === 'string') return all(`Nothing was run: ${start}`);
    const id = await run.uuid('id');
    const { dataDir } = run.host;
    const place = placeOf({ id, title: 'what held before', dataDir, repository: start.repository });
    leaveAtEnd(place, run);
    const made = await madeReady({}, run, { place, setup: start.setup });
    if (typeof made === 'string') {
      await left(run, place, false);
      return all(`Nothing was run: ${made}`);
    }
    const green = (await checksBefore(run, place, start.checks)).filter(({ before }) => before === 'passed');
    const tree: Tree = { place, since: brought.since, green };
    const kept: (Kept & { readonly id: string })[] = [];
    if (green.length > 0) {
      const old = await oldTestsOn(run, tree);
      for (const proof of proofs)
        kept.push({ id: proof.id, ...(proof.tests.length === 0 ? old : await shownOn(run, tree, proof)) });
    }
    await left(run, place, false);
    return green.length > 0 ? kept : all('Nothing was run: no check passes on the branch.');
  },
});

interface Tree {
  /** At the tip of the branch. */
  readonly place: Place;
  readonly since: string;
  /** The checks that pass there. */
  readonly green: readonly CheckReport[];
}

const namesOf = ({ green }: Tree) => green.map(({ name }) => name);

/** What the tests that were there show, as they were; they can't tell one thing that they hold from another. */
async function oldTestsOn(run: RunContext<WorkflowsState>, tree: Tree): Promise<Kept> {
  const whole = { ...tree.place, base: tree.since };
  const names = namesOf(tree);
  const { runs } = await runPartOnBase(run, whole, { step: 'old tests', names, part: 'others' });
  const broken = runs.filter(({ outcome }) => outcome !== 'passed');
  return broken.length === 0
    ? {
        state: 'holds',
        why: 'Run on the branch, with the tests that were there, as they were: passed.',
      }
    : {
        state: 'unknown',
        why: `Run on the branch, with the tests that were there, as they were: ${listed(broken)} did not pass.`,
      };
}

async function shownOn(
  run: RunContext<WorkflowsState>,
  tree: Tree,
  { id, tests, diff }: KeptInput['proofs'][number],
): Promise<Kept> {
  const { place, since } = tree;
  const names = namesOf(tree);
  const patch = partsOfDiff(diff, tests);
  const standing = `the test that showed ${id}`;
  const on = await put(run, place, { step: `put ${id}`, patch, at: place.base });
  if (on !== null) {
    const runs = await runAt(run, place, { step: `test of ${id}`, names, at: on, standing });
    return byTest(runs, { tree, tests });
  }
  // The branch has changed the same lines: with the tests as they were, and the code of the branch.
  const before = await put(run, place, { step: `put ${id} before`, patch, at: since });
  if (before === null) return { state: 'unknown', why: 'Its test can’t be put on the branch.' };
  const whole = { ...place, base: since };
  const old = { step: `without test of ${id}`, names, part: 'others', withNothingElse: true } as const;
  const without = await runPartOnBase(run, whole, old);
  const how = { step: `test of ${id}`, names, at: before, paths: without.others, standing };
  // What is red without it says nothing of it.
  const counted = (await runAt(run, place, how)).filter((_, at) => without.runs[at]?.outcome === 'passed');
  return counted.length > 0
    ? byTest(counted, { tree, tests })
    : { state: 'unknown', why: 'Without its test, the tests that were there do not pass on the branch.' };
}

function byTest(
  runs: PartOnBase['runs'],
  { tree: { green }, tests }: { readonly tree: Tree; readonly tests: readonly string[] },
): Kept {
  const notGreen = runs.filter(({ outcome }) => outcome !== 'passed');
  if (notGreen.length === 0)
    return { state: 'holds', why: 'Run on the branch, with the test that showed it: passed.' };
  const { reached, fault } = reachedIn(notGreen.filter(isRed), { alone: { tests }, ready: { green } });
  if (reached.length > 0)
    return {
      state: 'broken',
      why: `Run on the branch, with the test that showed it: ${listed(reached)} failed.`,
    };
  return {
    state: 'unknown',
    why: fault === undefined ? 'Its test did not end on the branch.' : notReached('On the branch', fault),
  };
}

/** The commit that has a patch on top of another; null where that can't take it. The worktree is as it was. */
function put(
  run: RunContext<WorkflowsState>,
  place: Place,
  { step, patch, at }: { readonly step: string; readonly patch: string; readonly at: string },
): Promise<string | null> {
  return run.step(
    step,
    async ({ signal }) => {
      await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
      if (patch === '') return null;
      const sides = await putChange({ ...place, base: at }, patch, signal);
      const tree = { treeTop: place.path };
      await git(tree, ['reset', '--quiet', '--hard', place.base, '--'], { signal });
      return sides?.with ?? null;
    },
    { title: 'puts its test there' },
  );
}
