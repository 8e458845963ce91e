import type { AskedQuestion, Run, RunStatus } from '@nexus/plugin-sdk';
import { visibleLine } from '@nexus/untrusted/shown';
import { askRuns, askShownRun, type ShownRun } from '../runs/ask-runs.ts';
import { keepTold } from '../runs/keep-told.ts';
import { runStatuses } from '../runs/run-statuses.ts';
import type { GivenAnswer } from '../server/answer-run.ts';
import { age } from '../terminal/age.ts';
import { fail, print, printJson } from '../terminal/output.ts';
import { questionLines } from '../terminal/question-lines.ts';
import { runMermaid, shownRunLines } from '../terminal/run-picture.ts';
import { shownId } from '../terminal/short-id.ts';
import { table } from '../terminal/table.ts';
import { showWatched } from './bus-view.ts';
import { type Command, configOption, jsonOption, limit, limitOption, type Options, text } from './command.ts';
import { goOnAndTell } from './go-on-and-tell.ts';
import { replay } from './replay-run.ts';
import { rerun } from './rerun-run.ts';
import { faultOfOptions, type RunsForm } from './runs-options.ts';

interface Listed {
  readonly runs: readonly Run[];
  readonly total: number;
}

export const runs: Command = {
  usage: 'runs [words...]',
  summary:
    'show the runs (work of several steps), or one; answer, cancel, resume or rerun it; replay those that failed',
  options: [
    {
      flags: '--status <status>',
      description: `only ${runStatuses.slice(0, -1).join(', ')} or ${runStatuses.at(-1)} ones`,
      choices: runStatuses,
    },
    { flags: '--watch', description: 'keep the list, or one run, up to date until Ctrl-C' },
    { flags: '--mermaid', description: 'draw one run as a Mermaid flowchart' },
    { flags: '--question <name>', description: 'which question is answered, if there are several' },
    {
      flags: '--digest <start>',
      description: 'what a yes is for, if the question is about something exact',
    },
    { flags: '--usd <amount>', description: 'the new cap of a run that is resumed, in US dollars' },
    { flags: '--tokens <count>', description: 'the new cap of a run that is resumed, in tokens' },
    { flags: '--from <step>', description: 'the first step that a rerun does again' },
    { flags: '--all', description: 'a rerun does every step again' },
    {
      flags: '--input <json>',
      description: 'what a rerun is given instead of the run’s own input: JSON, or @file',
    },
    { flags: '--failed', description: 'replay runs that failed' },
    { flags: '--cancelled', description: 'replay runs that were cancelled' },
    { flags: '--kind <name>', description: 'replay only runs of this kind' },
    { flags: '--error <code>', description: 'replay only runs that failed with this code' },
    {
      flags: '--since <when>',
      description: 'replay only runs that ended since then: 90m, 12h, 3d, or a time such as 2026-01-31',
    },
    { flags: '--dry-run', description: 'only show what a replay would begin' },
    { flags: '--yes', description: 'begin a rerun or a replay without a question' },
    jsonOption,
    limitOption,
    configOption,
  ],
  examples: [
    'runs',
    'runs --watch',
    'runs --status paused',
    'runs run_0f12ab34 --mermaid',
    'runs answer run_0f12ab34 yes',
    'runs answer run_0f12ab34 branch=main',
    'runs answer run_0f12ab34 yes --digest 3ae57511',
    'runs cancel run_0f12ab34',
    'runs resume run_0f12ab34 --usd 2',
    'runs rerun run_0f12ab34                # from where it failed; says first what that costs',
    'runs rerun run_0f12ab34 --from draft --yes',
    'runs replay --failed --error NEXUS_MODEL_UNAVAILABLE --since 12h',
  ],
  async run([given = []], options) {
    const [first, id, ...rest] = (typeof given === 'string' ? [given] : given).map(String);
    const form = formOf(first);
    const fault = faultOfOptions(form, options);
    if (fault !== undefined) return fail(fault);
    if (first === undefined) return list(options);
    if (form === 'replay') {
      if (id !== undefined)
        return fail('nexus runs replay takes options, no id: `nexus runs rerun <id>` takes one');
      return replay(options);
    }
    if (form === 'answer' || form === 'cancel' || form === 'resume' || form === 'rerun') {
      if (id === undefined)
        return fail(`nexus runs ${form} needs the id of a run; \`nexus runs\` lists them`);
      return form === 'rerun' ? rerun(id, options) : change(form, { id, rest }, options);
    }
    if (id !== undefined)
      return fail(
        `no action "${first}"; use answer, cancel, resume, rerun or replay, or the id of a run alone`,
      );
    const config = text(options, 'config');
    let shown: ShownRun | undefined;
    const read = async () => {
      shown = await askShownRun(first, config);
      return shown;
    };
    const code =
      options.watch === true
        ? await showWatched({ read, lines: shownRunLines }, options)
        : showRun(await read(), options);
    if (shown) await keepTold([shown, ...(shown.begunRuns ?? [])], config);
    return code;
  },
};

function showRun(run: ShownRun, options: Options): number {
  if (options.json) return printJson(run);
  return print(options.mermaid ? runMermaid(run) : shownRunLines(run));
}

const ACTIONS = ['answer', 'cancel', 'resume', 'rerun', 'replay'] as const;

function formOf(first: string | undefined): RunsForm {
  if (first === undefined) return 'list';
  return ACTIONS.find((each) => each === first) ?? 'show';
}

async function list(options: Options): Promise<number> {
  const given = text(options, 'status');
  const status = runStatuses.find((each) => each === given);
  const request = {
    what: 'list',
    limit: limit(options),
    ...(status === undefined ? {} : { status }),
  } as const;
  const read = () => askRuns<Listed>(request, text(options, 'config'));
  const lines = (listed: Listed) => listLines(listed, status);
  if (options.watch === true) return showWatched({ read, lines }, options);
  const listed = await read();
  return options.json ? printJson(listed) : print(lines(listed));
}

function listLines({ runs: shown, total }: Listed, status: RunStatus | undefined): string[] {
  if (shown.length === 0) {
    return [
      status === undefined
        ? 'No runs. Tools that work for long begin them.'
        : `No run is ${status}. \`nexus runs\` lists all.`,
    ];
  }
  const rows = shown.map((run) => [
    shownId(run.id),
    run.status,
    age(run.createdAt),
    run.title,
    (run.message ?? '').split('\n', 1)[0] ?? '',
  ]);
  const more = total > shown.length ? [`and ${total - shown.length} more; --limit shows more`] : [];
  const asked = shown
    .flatMap(({ asks = [] }) => asks)
    .flatMap((question) => ['', ...questionLines(question)]);
  return [...table(['RUN', 'STATUS', 'AGE', 'TITLE', 'MESSAGE'], rows), ...more, ...asked];
}

function answeredLine({ message, name, runId }: AskedQuestion): string {
  if (message !== '') return `Answered: ${message}`;
  const item = name.includes('[') ? '' : ', or if each item of a loop asks: name one, as in "go#1[0]"';
  return `Run ${shownId(runId)} does not ask "${name}" yet. The answer is kept for the first question of that name, and let go if it does not fit${item}.`;
}

async function change(
  what: 'answer' | 'cancel' | 'resume',
  { id, rest }: { id: string; rest: readonly string[] },
  options: Options,
): Promise<number> {
  const config = text(options, 'config');
  const how = { config, isJson: options.json === true };
  if (what === 'answer') {
    const answer = readAnswer(rest);
    if (!answer) return fail('answer yes, no, or name=value for each field that is asked for');
    const question = text(options, 'question');
    const digest = text(options, 'digest');
    const of = {
      ...(question === undefined ? {} : { question }),
      ...(digest === undefined ? {} : { digest }),
    };
    return goOnAndTell<AskedQuestion>({ what, id, ...answer, ...of }, how, (asked) => {
      if (options.json) printJson(asked);
      else print([visibleLine(answeredLine(asked))]);
      return asked.runId;
    });
  }
  const say = (run: Run) => {
    if (options.json) printJson(run);
    else print([`${shownId(run.id)} is ${run.status}.${told(run)}`]);
    return run.id;
  };
  if (what === 'resume') return goOnAndTell({ what, id, ...capOf(options) }, how, say);
  say(await askRuns<Run>({ what, id }, config));
  return 0;
}

/** Who has it go on for the fifth time should know that it is the fifth. */
function told({ deaths = 0 }: Run): string {
  if (deaths === 0) return '';
  const times = deaths === 1 ? 'once' : `${deaths} times`;
  return ` Its server has died ${times} while it went on; it is counted anew from here, and ends after three in a row.`;
}

function readAnswer(words: readonly string[]): Pick<GivenAnswer, 'action' | 'fields'> | undefined {
  const [first = '', ...more] = words;
  if (more.length === 0 && /^(yes|y|accept)$/i.test(first)) return { action: 'accept' };
  if (more.length === 0 && /^(no|n|decline)$/i.test(first)) return { action: 'decline' };
  const fields = words.map((word) => /^([^=]+)=(.*)$/s.exec(word));
  if (fields.length === 0 || fields.some((field) => !field)) return undefined;
  return {
    action: 'accept',
    fields: Object.fromEntries(fields.map((field) => [field?.[1], field?.[2] ?? ''])),
  };
}

/** @throws {Error} for a cap that is no amount */
function capOf(options: Options): { cap?: { tokens?: number; costUsd?: number } } {
  const amount = (name: string) => {
    const given = text(options, name);
    if (given === undefined) return undefined;
    const value = Number(given);
    if (!(value > 0 && value < Number.POSITIVE_INFINITY)) {
      throw new Error(`--${name} must be a number above 0; found "${given}"`);
    }
    return value;
  };
  const costUsd = amount('usd');
  const tokens = amount('tokens');
  if (costUsd === undefined && tokens === undefined) return {};
  return {
    cap: { ...(costUsd === undefined ? {} : { costUsd }), ...(tokens === undefined ? {} : { tokens }) },
  };
}
