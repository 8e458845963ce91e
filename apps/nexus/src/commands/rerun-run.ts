import { readFile } from 'node:fs/promises';
import type { RerunPlan, Run, RunDetail, Spend } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { visibleLine } from '@nexus/untrusted/shown';
import { askRun, askRuns } from '../runs/ask-runs.ts';
import { keepTold } from '../runs/keep-told.ts';
import type { RerunRequest } from '../server/answer-runs.ts';
import { onceIn, type TitleOf } from '../server/once-in.ts';
import { stepCost } from '../terminal/cost.ts';
import { fail, print, printJson, say } from '../terminal/output.ts';
import { shownId } from '../terminal/short-id.ts';
import { shownSteps } from '../terminal/step-titles.ts';
import { type Options, text } from './command.ts';
import { goOnAndTell } from './go-on-and-tell.ts';
import { refusalOf } from './may-begin.ts';

/**
 * Runs a run again, once the person has seen what is kept, what is done again, and what that cost. Where nobody says
 * yes, JSON is the plan alone.
 * @throws {Error} for an input that is no JSON
 */
export async function rerun(id: string, options: Options): Promise<number> {
  const config = text(options, 'config');
  const how = { config, isJson: options.json === true };
  const run = await askRun(id, config);
  if (!['completed', 'failed', 'cancelled'].includes(run.status)) {
    return fail(
      `run ${shownId(run.id)} is ${run.status}: \`nexus runs resume\` lets a paused one go on, \`nexus runs cancel\` ends it`,
    );
  }
  const request = await requestOf(run, options);
  const plan = await askRuns<RerunPlan>({ what: 'plan-rerun', ...request }, config);
  // It may have gone on before: then it is the last of those that does.
  const newest = plan.runId === run.id ? run : await askRun(plan.runId, config);
  const isToGoOn = newest === run || ['failed', 'cancelled'].includes(newest.status);
  const lines = isToGoOn ? planLines(newest, plan, request.goesOn === true) : goneOnLines(run, newest);
  // On stderr: what comes of it is for standard output.
  for (const line of lines) say(line);
  const refusal = await refusalOf(options, 'Run it again so?');
  if (refusal !== undefined) {
    if (options.json) printJson({ ...plan, begun: null });
    return fail(refusal);
  }
  let left: Run | undefined;
  try {
    return await goOnAndTell<Run>({ what: 'rerun', ...request }, how, (begun) => {
      if (options.json) printJson(begun);
      // Nothing was begun: that nobody knows its outcome is told first.
      if (begun.status === 'failed') {
        left = begun;
        throw new Error(toldFirst(begun));
      }
      if (!options.json)
        print([`${shownId(begun.id)} is ${begun.status}; \`nexus runs ${shownId(begun.id)}\` shows it.`]);
      return begun.id;
    });
  } catch (error) {
    if (!left) throw error;
    const code = fail(toldFirst(left));
    await keepTold([left], config);
    return code;
  }
}

/** Why a run that was to go on is found as it had ended. */
export function toldFirst({ id, error }: Pick<Run, 'id' | 'error'>): string {
  return `nothing was begun, since run ${shownId(id)} was to be told first: ${error?.code}: ${error?.message} Once you have looked at its effect, the same command does it again.`;
}

/** What failed or was cancelled goes on where it stood; what was made of another input is made anew. */
async function requestOf({ id, status }: RunDetail, options: Options): Promise<RerunRequest> {
  const from = text(options, 'from');
  const written = text(options, 'input');
  const input = written === undefined ? {} : { input: await readInput(written) };
  if (from !== undefined) return { id, from, ...input };
  const goesOn = status !== 'completed' && written === undefined && options.all !== true;
  return { id, ...(goesOn ? { goesOn } : {}), ...input };
}

async function readInput(written: string): Promise<unknown> {
  const json = written.startsWith('@') ? await readFile(written.slice(1), 'utf8') : written;
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Error(`--input must be JSON, or @ and the name of a file with it: ${(error as Error).message}`);
  }
}

/** @param goesOn whether what ended well is kept, wherever it stands */
export function planLines(
  run: Pick<RunDetail, 'id' | 'kind' | 'title' | 'status' | 'steps' | 'children'>,
  plan: RerunPlan,
  goesOn: boolean,
): string[] {
  const { id, kind, title, status } = run;
  const again = `${amount(plan.cost, plan.unknownCalls)}${orAtMost(plan)}`;
  const isSame = goesOn && status === 'failed' && isOfNothing(plan);
  return [
    visibleLine(`${title} (${kind}), run ${shownId(id)}, is ${status}.`),
    ...toldFirstLines(plan),
    ...whatBecomes(plan, titlesIn(run)).map(visibleLine),
    status === 'completed' ? `In all: ${again}` : `In all: ${again}, and what had not begun`,
    ...(isSame
      ? [
          'None of its steps failed, so it may fail the same way again; --from <step> or --all does more anew.',
        ]
      : []),
  ];
}

/** Of a run that has gone on in another, which is still to come to its end, or has done so well: that one stands for it. */
export function goneOnLines(
  { id, title }: Pick<Run, 'id' | 'title'>,
  newest: Pick<Run, 'id' | 'status'>,
): string[] {
  const next =
    newest.status === 'completed'
      ? 'nothing is done again; --from <step> or --all does'
      : 'that one goes on, and none is begun beside it';
  return [
    visibleLine(
      `${title}, run ${shownId(id)}, goes on in run ${shownId(newest.id)}, which is ${newest.status}: ${next}.`,
    ),
  ];
}

/** Whether nothing that had begun is done again, or told. */
function isOfNothing({ repeated, unknown = [] }: RerunPlan): boolean {
  return repeated.length + unknown.length === 0;
}

/** As views of the run call them; what is in none of them, such as of a run that is gone, goes by its name. */
function titlesIn(run: Pick<RunDetail, 'id' | 'steps' | 'children'>): TitleOf {
  const titles = new Map<string, ReadonlyMap<string, string | undefined>>();
  const add = ({ id, steps, children }: typeof run) => {
    const hidden = steps.map(({ name }) => [name, undefined] as const);
    const shown = shownSteps(steps).map(({ step, title }) => [step.name, title] as const);
    titles.set(id, new Map([...hidden, ...shown]));
    for (const child of children) add(child);
  };
  add(run);
  return (runId, name) => {
    const known = titles.get(runId);
    return known?.has(name) ? known.get(name) : name;
  };
}

export function toldFirstLines({ toldFirst: id }: Pick<RerunPlan, 'toldFirst'>): string[] {
  if (id === undefined) return [];
  return [
    `Run ${shownId(id)} is of unknown outcome, and nobody was told: it is told first, and nothing is begun. Who then asks once more begins:`,
  ];
}

/** What is kept, what is told first, and what is done again, with the runs that steps had begun. */
function whatBecomes(
  { runId, kept, unknown = [], repeated }: RerunPlan,
  titleOf: TitleOf,
  indent = '',
): string[] {
  const told = 'Of unknown outcome, told first and done again by who then asks once more';
  const listed = (names: readonly string[]) =>
    names.flatMap((name) => titleOf(runId, name) ?? []).join(', ') || 'nothing';
  return [
    `${indent}Kept: ${listed(kept)}`,
    ...(unknown.length === 0 ? [] : [`${indent}${told}: ${listed(unknown)}`]),
    repeated.length === 0
      ? `${indent}Done again: nothing that had begun`
      : `${indent}Done again, with what it costs again:`,
    ...repeated.flatMap(({ name, spent, unknownCalls, answered, again = [], runs = [] }) => [
      `${indent}  ${titleOf(runId, name) ?? name}: ${amount(spent, unknownCalls)}`,
      ...answeredLines(answered, (each) => (each === name ? titleOf(runId, name) : each) ?? each).map(
        (line) => `${indent}    ${line}`,
      ),
      ...againLines(
        again.map((each) => (each === name ? titleOf(runId, name) : each) ?? each),
        `${indent}    `,
      ),
      ...runs.flatMap(({ isAnew, ...below }) =>
        isAnew
          ? [
              `${indent}    begins run ${shownId(below.runId)} anew`,
              ...againLines(onceIn(below, titleOf), `${indent}      `),
            ]
          : [
              `${indent}    goes on with run ${shownId(below.runId)}`,
              ...whatBecomes(below, titleOf, `${indent}      `),
            ],
      ),
    ]),
  ];
}

function againLines(again: readonly string[], indent: string): string[] {
  if (again.length === 0) return [];
  return [
    `${indent}done already, or may be, and not to be done twice; it is done again: ${again.join(', ')}`,
  ];
}

type Answered = RerunPlan['repeated'][number]['answered'];

/** What of a step that is done again is neither paid nor done again, unless it asks for something else. */
function answeredLines(answered: Answered, called: (name: string) => string): string[] {
  if (!answered) return [];
  const { calls, spent, once = [], isUnsaid } = answered;
  const paid = `${calls} answer${calls === 1 ? ' is' : 's are'} on record; only if it asks for something else it pays ${amount(spent)} again`;
  const done = `done already, and not to be done twice: ${once.map(called).join(', ')}; ${isUnsaid ? 'nothing says what it was given, so you are told first' : 'if it asks for something else you are told first'}`;
  return [...(calls === 0 ? [] : [paid]), ...(once.length === 0 ? [] : [done])];
}

export function orAtMost({ costAtMost }: Pick<RerunPlan, 'costAtMost'>): string {
  return costAtMost ? `, or up to ${amount(costAtMost)} if steps ask for something else than before` : '';
}

/** What was spent, in words; with calls that nobody saw the end of it is the least. */
export function amount(spent: Spend, unknownCalls = 0): string {
  const known = stepCost(spent);
  if (unknownCalls === 0) return known || 'nothing';
  const unknown = `not known of ${counted(unknownCalls, 'call')}`;
  return known === '' ? unknown : `at least ${known}; ${unknown}`;
}
