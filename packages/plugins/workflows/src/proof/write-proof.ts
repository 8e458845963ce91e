import type { ProveInput, ProveOutput, RunContext } from '@nexus/plugin-sdk';
import { treeTurnRun } from '../dev-pipeline/turn-run.ts';
import type { WorkflowsState } from '../state.ts';
import { changesOf } from '../worktree/changes.ts';
import { commitWork, firstLineOf } from '../worktree/commits.ts';
import { openWorktree } from '../worktree/worktree.ts';
import { judgeProof } from './judge-proof.ts';
import { proveAgainPrompt, provePrompt } from './prompts.ts';
import { runPartOnBase } from './prove-change.ts';
import type { Ran, Ready } from './ran.ts';
import { runFails } from './ways/fails.ts';
import { runHolds } from './ways/holds.ts';
import { runMend } from './ways/mend.ts';

const MAX_STEPS = 30;
const MAX_DIFF_CHARS = 20_000;
const MAX_TRIES = 2;
const TITLE = 'Write a test that shows it';

/** What its commits do. */
const COMMIT_TITLES = {
  fails: 'Test: ',
  holds: 'Test: ',
  mend: 'Mend: ',
} as const satisfies Record<ProveInput['kind'], string>;

const WAYS = { fails: runFails, holds: runHolds, mend: runMend } as const;

/**
 * Has the test written, runs it as its kind asks, and has somebody else judge what came of it; who left what shows
 * nothing is told once.
 */
export async function writeProof(
  input: ProveInput,
  run: RunContext<WorkflowsState>,
  ready: Ready,
): Promise<Omit<ProveOutput, 'branch'>> {
  const { place } = ready;
  let prompt = provePrompt(input, ready.sight);
  for (let round = 1; ; round += 1) {
    const turn = {
      role: 'prover' as const,
      place,
      holder: run.id,
      title: TITLE,
      prompt,
      maxSteps: MAX_STEPS,
    };
    const { output: said } = await run.child(`turn ${round}`, treeTurnRun, turn, { title: TITLE });
    const { diff } = await run.step(
      `commit ${round}`,
      async ({ signal }) => {
        await openWorktree(place, { runId: run.id, runs: run.host.runs, signal });
        const title = `${COMMIT_TITLES[input.kind]}${firstLineOf(input.claim)}`;
        const note = `With the test that shows it, round ${round}.`;
        await commitWork(place, { title, note, runId: run.id, signal });
        return changesOf(place, { signal, maxDiffChars: MAX_DIFF_CHARS });
      },
      { title: 'commits it' },
    );
    const ran = await runWritten(input, run, { ready, round, diff });
    if (ran === undefined) {
      const why = `No test was written that shows it. Its author said: ${said || 'nothing.'}`;
      // Much that holds can't be tested, such as what a document says; a fault that is real mostly can.
      const against = input.kind === 'fails' ? { against: why } : {};
      return { verdict: 'not_shown', basis: 'believed', why, tests: [], diff, output: '', ...against };
    }
    const isLast = round === MAX_TRIES;
    // Who wrote a test that refutes it is told first: it may be the test.
    const isToldFirst = ran.verdict === 'refuted' && !isLast;
    const { verdict, why, tests, output } = isToldFirst
      ? ran
      : await judgeProof(input, run, { ready, round, ran });
    const basis = verdict === 'not_shown' ? 'believed' : 'ran';
    if (verdict === 'shown' || isLast) {
      const speaksAgainst = verdict === 'refuted' || ran.isOther === true;
      const against = speaksAgainst ? { against: [why, output].filter(Boolean).join('\n') } : {};
      return { verdict, basis, why, tests, diff, output, ...against };
    }
    prompt = proveAgainPrompt(input, { why, sight: ready.sight });
  }
}

/** Nothing where nobody wrote what could be run. */
async function runWritten(
  input: ProveInput,
  run: RunContext<WorkflowsState>,
  { ready, round, diff }: { readonly ready: Ready; readonly round: number; readonly diff: string },
): Promise<Ran | undefined> {
  const names = ready.green.map(({ name }) => name);
  const how = { step: `alone ${round}`, names, withNothingElse: true };
  const alone = await runPartOnBase(run, ready.place, how);
  const isBreakAlone = input.kind === 'holds' && alone.others.length > 0;
  if (alone.tests.length === 0 && !isBreakAlone) return undefined;
  return WAYS[input.kind](run, { input, ready, round, diff, alone });
}
