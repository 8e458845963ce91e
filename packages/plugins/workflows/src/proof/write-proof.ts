import type { ProgramEnd, ProveInput, ProveOutput, RunContext } from '@nexus/plugin-sdk';
import { checksAfter } from '../dev-pipeline/checks.ts';
import type { CheckReport } from '../dev-pipeline/dev-output.ts';
import { treeTurnRun } from '../dev-pipeline/turn-run.ts';
import type { WorkflowsState } from '../state.ts';
import { changesOf } from '../worktree/changes.ts';
import { commitWork } from '../worktree/commits.ts';
import type { Place } from '../worktree/place.ts';
import { openWorktree } from '../worktree/worktree.ts';
import { assertsSomething } from './asserts-something.ts';
import { proveAgainPrompt, provePrompt } from './prompts.ts';
import { runPartOnBase } from './prove-change.ts';

export interface Ready {
  readonly place: Place;
  /** Of a change that it is about: the commit without it. */
  readonly without?: string;
  /** The checks that pass as things are, at least one. */
  readonly green: readonly CheckReport[];
}

const MAX_STEPS = 30;
const MAX_DIFF_CHARS = 20_000;
const MAX_TRIES = 2;
const ASSERTS_NOTHING =
  'Its test asserts nothing in the lines that were added, so it would pass whatever the change does: assert what the requirement says.';
const TITLE = 'Write a test that shows it';

/** Has the test written, and runs it as its kind asks; who left what shows nothing is told once. */
export async function writeProof(
  input: ProveInput,
  run: RunContext<WorkflowsState>,
  ready: Ready,
): Promise<Omit<ProveOutput, 'branch'>> {
  const { place } = ready;
  let prompt = provePrompt(input);
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
        await commitWork(place, { title: `${TITLE}, round ${round}`, runId: run.id, signal });
        return changesOf(place, { signal, maxDiffChars: MAX_DIFF_CHARS });
      },
      { title: 'commits it' },
    );
    const ran = await runBothWays(input, run, { ready, round, diff });
    if (ran.tests.length === 0) {
      const why = `No test was written that shows it. Its author said: ${said}`;
      return { ...ran, verdict: 'not_shown', basis: 'believed', why, diff };
    }
    const outcome = {
      ...ran,
      basis: ran.verdict === 'not_shown' ? ('believed' as const) : ('ran' as const),
      diff,
    };
    if (ran.verdict === 'shown' || round === MAX_TRIES) return outcome;
    prompt = proveAgainPrompt(input, ran.why);
  }
}

type Ran = Pick<ProveOutput, 'verdict' | 'why' | 'tests' | 'output'>;

async function runBothWays(
  { kind, brought }: ProveInput,
  run: RunContext<WorkflowsState>,
  {
    ready: { place, without, green },
    round,
    diff,
  }: { readonly ready: Ready; readonly round: number; readonly diff: string },
): Promise<Ran> {
  const names = green.map(({ name }) => name);
  const {
    tests,
    others,
    runs: alone,
  } = await runPartOnBase(run, place, { step: `alone ${round}`, names, withNothingElse: true });
  const said = (verdict: Ran['verdict'], why: string, output = ''): Ran => ({ verdict, why, tests, output });
  if (tests.length === 0) return said('not_shown', '');
  const red = alone.filter(isRed);
  if (kind === 'holds') {
    const [first] = red;
    if (first)
      return said(
        'refuted',
        `Run as things are: with a test written for it, ${listed(red)} failed.`,
        first.output,
      );
    if (alone.some(({ outcome }) => outcome !== 'passed'))
      return said('not_shown', 'With its test a check did not end.');
    // Without what it loads anything is red: that it is told by what must be so can't be seen of the two runs.
    if (brought !== undefined && !assertsSomething(diff, tests)) return said('not_shown', ASSERTS_NOTHING);
    if (brought !== undefined)
      return said(...(await redBefore(run, place, { names, round, since: brought.since })));
    if (others.length === 0)
      return said(
        'not_shown',
        'Its test passes, and nothing shows that it could fail: the code was not broken.',
      );
    const broken = asEnded(await checksAfter(run, place, { before: green, round })).filter(isRed);
    if (broken.length === 0)
      return said(
        'not_shown',
        'Its test passes as things are, and with the code broken too, so it shows nothing.',
      );
    // A check that is red without the new test as well may be so for an old one.
    const { runs: untested } = await runPartOnBase(run, place, {
      step: `untested ${round}`,
      names: broken.map(({ name }) => name),
      part: 'others',
    });
    const byTest = broken.filter((_, at) => untested[at]?.outcome === 'passed');
    return byTest[0]
      ? said(
          'shown',
          `Run as things are: its test passed. Run with the code broken there: ${listed(byTest)} failed, and passed without the test.`,
          byTest[0].output,
        )
      : said(
          'not_shown',
          `With the code broken, ${listed(broken)} did not pass without its test either, so nothing shows that its test could fail: break the code so that no test but the new one fails.`,
          broken[0]?.output,
        );
  }
  const [first] = red;
  if (!first) return said('not_shown', 'Its test passes as things are, so it shows no fault.');
  const failed = `Run as things are, with its test: ${listed(red)} failed.`;
  if (kind === 'mend') {
    const after = asEnded(await checksAfter(run, place, { before: green, round }));
    const isGreen = others.length > 0 && after.every(({ outcome }) => outcome === 'passed');
    return isGreen
      ? said('shown', `${failed} Run with the mend: passed.`, first.output)
      : said('not_shown', `${failed} With the mend it did not pass.`, first.output);
  }
  if (without === undefined) return said('shown', failed, first.output);
  const earlier = await runPartOnBase(run, place, {
    step: `without ${round}`,
    names: red.map(({ name }) => name),
    withNothingElse: true,
    at: without,
  });
  const isOfChange = earlier.runs.some(({ outcome }) => outcome === 'passed');
  return said(
    'shown',
    `${failed} ${isOfChange ? 'Run without the change: passed.' : 'Run without the change: it did not pass either.'}`,
    first.output,
  );
}

/** Whether a test that is green with a change is red on the code as it was, which is green without it. */
async function redBefore(
  run: RunContext<WorkflowsState>,
  place: Place,
  {
    names,
    round,
    since,
  }: { readonly names: readonly string[]; readonly round: number; readonly since: string },
): Promise<[verdict: Ran['verdict'], why: string, output?: string | undefined]> {
  const at = { at: since, withNothingElse: true };
  const { runs } = await runPartOnBase(run, place, { step: `before ${round}`, names, ...at });
  const red = runs.filter(isRed);
  if (red.length === 0)
    return ['not_shown', 'Its test passes on the code as it was before the change too, so it shows nothing.'];
  const untested = await runPartOnBase(run, place, {
    step: `before untested ${round}`,
    names: red.map(({ name }) => name),
    part: 'others',
    ...at,
  });
  const [first] = red.filter((_, index) => untested.runs[index]?.outcome === 'passed');
  return first
    ? [
        'shown',
        `Run with the change: its test passed. Run on the code as it was: \`${first.name}\` failed, and passed without the test.`,
        first.output,
      ]
    : [
        'not_shown',
        `On the code as it was, ${listed(red)} did not pass without its test either, so nothing shows that its test could fail.`,
        red[0]?.output,
      ];
}

const isRed = ({ outcome }: Pick<ProgramEnd, 'outcome'>) => outcome === 'failed';
const listed = (ends: readonly { readonly name: string }[]) =>
  ends.map(({ name }) => `\`${name}\``).join(', ');

function asEnded(checks: readonly CheckReport[]) {
  return checks.flatMap(({ name, after: outcome, output }) =>
    outcome === undefined ? [] : [{ name, outcome, output }],
  );
}
