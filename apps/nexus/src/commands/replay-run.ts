import { isKnownCode } from '@nexus/core';
import type { Run, Spend } from '@nexus/plugin-sdk';
import { visibleLine, visibleStart } from '@nexus/untrusted/shown';
import { askEachAndGoOn, askRuns } from '../runs/ask-runs.ts';
import { keepTold } from '../runs/keep-told.ts';
import { sinceMs } from '../runs/since.ts';
import type { Replayable, ReplayableRun, RunsRequest } from '../server/answer-runs.ts';
import { age } from '../terminal/age.ts';
import { fail, print, printJson, say } from '../terminal/output.ts';
import { shownId } from '../terminal/short-id.ts';
import { table } from '../terminal/table.ts';
import { limit, type Options, text } from './command.ts';
import { refusalOf } from './may-begin.ts';
import { amount, orAtMost, toldFirst, toldFirstLines } from './rerun-run.ts';

interface Replayed {
  readonly id: string;
  /** Absent for one that was refused. */
  readonly begun?: Pick<Run, 'id' | 'status'>;
  readonly refused?: string;
}

/**
 * Has many runs that came to nothing go on where they stood, once the person has seen which and what that costs.
 * What is begun is told run by run.
 * @returns the exit code: 1 at least where any was refused, or nothing was begun that could have been
 * @throws {Error} for options that say nothing that can be looked for
 */
export async function replay(options: Options): Promise<number> {
  const request = requestOf(options);
  const config = text(options, 'config');
  const how = { config, isJson: options.json === true };
  const found = await askRuns<Replayable>(request, config);
  const isDry = options.dryRun === true;
  if (isDry && options.json) return printJson(found);
  // What only precedes the work is for stderr: what comes of it is for standard output.
  const shown = preview(found);
  if (isDry) return print(shown);
  for (const line of shown) say(line);
  const refusal = found.runs.length === 0 ? undefined : await refusalOf(options, 'Run them again so?');
  if (refusal !== undefined) {
    // As when it is dry: so much would be begun.
    if (options.json) printJson(found);
    return fail(refusal);
  }
  const replayed: Replayed[] = [];
  const left: Run[] = [];
  const refused = () => replayed.filter((each) => each.begun === undefined).length;
  const requests = found.runs.map(({ id }) => ({ what: 'rerun', id, goesOn: true }) as const);
  // All is told before this command goes on with any of it, which may take long.
  const code = await askEachAndGoOn<Run>(requests, how, (settled) => {
    const id = found.runs[replayed.length]?.id ?? '';
    const each = replayedAs(id, settled);
    replayed.push(each);
    if (settled.status === 'fulfilled' && settled.value.status === 'failed') left.push(settled.value);
    if (options.json !== true) print([lineOf(each)]);
    if (replayed.length === requests.length) {
      if (options.json) printJson(asJson(found, replayed));
      else print([`${replayed.length - refused()} started, ${refused()} refused.`]);
    }
    return each.begun?.id;
  });
  if (options.json && requests.length === 0) printJson(asJson(found, replayed));
  await keepTold(left, config);
  return Math.max(refused() === 0 ? 0 : 1, code);
}

function requestOf(options: Options): Extract<RunsRequest, { what: 'failed' }> {
  const code = text(options, 'error');
  if (code !== undefined && !isKnownCode(code)) {
    throw new Error(`--error must be a code of docs/errors.md, such as NEXUS_TIMEOUT; found "${code}"`);
  }
  const statuses = [
    ...(options.failed === true || code !== undefined ? (['failed'] as const) : []),
    ...(options.cancelled === true ? (['cancelled'] as const) : []),
  ];
  if (statuses.length === 0) throw new Error('say which runs: --failed, --cancelled, or --error <code>');
  const since = text(options, 'since');
  return {
    what: 'failed',
    statuses,
    kind: text(options, 'kind'),
    code,
    withinMs: since === undefined ? undefined : sinceMs(since),
    limit: limit(options),
  };
}

/** @param again what was run again before this command */
function asJson({ total, again, againTotal }: Replayable, replayed: readonly Replayed[]) {
  return { replayed, total, again, againTotal };
}

function preview(found: Replayable): string[] {
  const { runs, total } = found;
  if (runs.length === 0)
    return ['No run that came to nothing is left to be run again.', ...linesOfAgain(found)];
  const rows = runs.map(({ id, kind, code, endedAt, cost, costAtMost, unknownCalls, title }) => [
    shownId(id),
    kind,
    code,
    age(endedAt),
    costAtMost ? `${amount(cost, unknownCalls)}, or up to ${amount(costAtMost)}` : amount(cost, unknownCalls),
    visibleStart(title, 60),
  ]);
  const more = total > runs.length ? [`and ${total - runs.length} more; --limit takes more`] : [];
  const all = sumOf(runs.map(({ cost }) => cost));
  const atMost = runs.some(({ costAtMost }) => costAtMost !== undefined)
    ? { costAtMost: sumOf(runs.map(({ cost, costAtMost }) => costAtMost ?? cost)) }
    : {};
  const unknown = runs.reduce((sum, { unknownCalls = 0 }) => sum + unknownCalls, 0);
  return [
    ...table(['RUN', 'KIND', 'ENDED WITH', 'AGE', 'COST AGAIN', 'TITLE'], rows),
    ...more,
    ...runs.flatMap(onceLines).map(visibleLine),
    `In all: ${amount(all, unknown)}${orAtMost(atMost)}, and what had not begun`,
    ...linesOfAgain(found),
  ];
}

function sumOf(all: readonly Spend[]): Spend {
  return all.reduce(
    (sum, { tokens, costUsd }) => ({ tokens: sum.tokens + tokens, costUsd: sum.costUsd + costUsd }),
    { tokens: 0, costUsd: 0 },
  );
}

/** What must not be done twice in a run: what is told first of it, and what is done again. */
function onceLines({ id, toldFirst: untold, unknown = [], doneAgain = [] }: ReplayableRun): string[] {
  const told = untold === undefined ? '' : ' (nothing else of it is begun, since nobody was told yet)';
  return [
    ...(unknown.length === 0
      ? toldFirstLines(untold === undefined ? {} : { toldFirst: untold })
      : [
          `${shownId(id)}: of unknown outcome, told first and done again by who then asks once more: ${unknown.join(', ')}${told}`,
        ]),
    ...(doneAgain.length === 0 || untold !== undefined
      ? []
      : [
          `${shownId(id)}: done already, or may be, and not to be done twice; it is done again: ${doneAgain.join(', ')}`,
        ]),
  ];
}

/** What an earlier command, or somebody else, has run again already: whoever asks once more looks for that. */
function linesOfAgain({ again, againTotal }: Replayable): string[] {
  if (again.length === 0) return [];
  const more = againTotal - again.length;
  return [
    'Run again before, and left out here:',
    ...again.map(({ id, begun }) => lineOf({ id, begun })),
    ...(more > 0 ? [`and ${more} more that ended before these; --limit takes more`] : []),
  ];
}

function replayedAs(id: string, settled: PromiseSettledResult<Run>): Replayed {
  if (settled.status === 'fulfilled' && settled.value.status === 'failed')
    return { id, refused: toldFirst(settled.value) };
  if (settled.status === 'fulfilled')
    return { id, begun: { id: settled.value.id, status: settled.value.status } };
  const { reason } = settled;
  return { id, refused: reason instanceof Error ? reason.message : String(reason) };
}

function lineOf({ id, begun, refused = '' }: Replayed): string {
  if (begun) return `${shownId(id)} goes on in ${shownId(begun.id)}, which is ${begun.status}.`;
  return visibleLine(`${shownId(id)} was refused: ${refused}`);
}
