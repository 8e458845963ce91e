import type { Answer, AskedQuestion, Run, RunDetail, RunStatus } from '@nexus/plugin-sdk';
import { askRuns } from '../client/runs.ts';
import { age } from '../terminal/age.ts';
import { runLines, runMermaid } from '../terminal/run-picture.ts';
import { oneLine, table } from '../terminal/table.ts';
import { type Command, configOption, jsonOption, limit, limitOption, type Options, text } from './command.ts';
import { fail, print } from './output.ts';

interface Listed {
  readonly runs: readonly Run[];
  readonly total: number;
}

export const runs: Command = {
  usage: 'runs [words...]',
  summary: 'show durable runs, or one: answer what it asks, cancel it, let it go on',
  options: [
    { flags: '--status <status>', description: 'only queued, running, waiting, paused, completed … ones' },
    { flags: '--mermaid', description: 'draw one run as a Mermaid flowchart' },
    { flags: '--question <name>', description: 'which question is answered, where there are several' },
    { flags: '--usd <amount>', description: 'the new cap of a run that is resumed, in US dollars' },
    { flags: '--tokens <count>', description: 'the new cap of a run that is resumed, in tokens' },
    jsonOption,
    limitOption,
    configOption,
  ],
  examples: [
    'runs',
    'runs --status paused',
    'runs run_0f… --mermaid',
    'runs answer run_0f… yes',
    'runs answer run_0f… branch=main',
    'runs cancel run_0f…',
    'runs resume run_0f… --usd 2',
  ],
  async run([given = []], options) {
    const [first, id, ...rest] = (typeof given === 'string' ? [given] : given).map(String);
    if (first === undefined) return list(options);
    if (first === 'answer' || first === 'cancel' || first === 'resume') {
      if (id === undefined)
        return fail(`nexus runs ${first} needs the id of a run; \`nexus runs\` lists them`);
      return change(first, { id, rest }, options);
    }
    if (id !== undefined)
      return fail(`no action "${first}"; use answer, cancel or resume, or the id of a run alone`);
    const run = await askRuns<RunDetail>({ what: 'show', id: first }, text(options, 'config'));
    if (options.json) return print([JSON.stringify(run, null, 2)]);
    return print(options.mermaid ? runMermaid(run) : runLines(run));
  },
};

async function list(options: Options): Promise<number> {
  const status = text(options, 'status') as RunStatus | undefined; // one that is none finds none
  const request = {
    what: 'list',
    limit: limit(options),
    ...(status === undefined ? {} : { status }),
  } as const;
  const listed = await askRuns<Listed>(request, text(options, 'config'));
  if (options.json) return print([JSON.stringify(listed, null, 2)]);
  const { runs: shown, total } = listed;
  if (shown.length === 0) return print(['No runs. Tools that work for long begin them.']);
  const rows = shown.map((run) => [
    run.id,
    run.status,
    age(run.createdAt),
    run.title,
    oneLine(run.message ?? '').slice(0, 60),
  ]);
  const more = total > shown.length ? [`and ${total - shown.length} more; --limit shows more`] : [];
  return print([...table(['RUN', 'STATUS', 'AGE', 'TITLE', 'MESSAGE'], rows), ...more]);
}

async function change(
  what: 'answer' | 'cancel' | 'resume',
  { id, rest }: { id: string; rest: readonly string[] },
  options: Options,
): Promise<number> {
  const config = text(options, 'config');
  if (what === 'answer') {
    const answer = readAnswer(rest);
    if (!answer) return fail('answer yes, no, or name=value for each field that is asked for');
    const question = text(options, 'question');
    const named = question === undefined ? {} : { question };
    const asked = await askRuns<AskedQuestion>({ what, id, answer, ...named }, config);
    return print(options.json ? [JSON.stringify(asked, null, 2)] : [oneLine(`Answered: ${asked.message}`)]);
  }
  const request = what === 'cancel' ? ({ what, id } as const) : ({ what, id, ...capOf(options) } as const);
  const run = await askRuns<Run>(request, config);
  return print(options.json ? [JSON.stringify(run, null, 2)] : [`${run.id} is ${run.status}.`]);
}

function readAnswer(words: readonly string[]): Answer | undefined {
  const [first = ''] = words;
  if (/^(yes|y|accept)$/i.test(first)) return { action: 'accept' };
  if (/^(no|n|decline)$/i.test(first)) return { action: 'decline' };
  const fields = words.map((word) => /^([^=]+)=(.*)$/s.exec(word));
  if (fields.length === 0 || fields.some((field) => !field)) return undefined;
  return {
    action: 'accept',
    content: Object.fromEntries(fields.map((field) => [field?.[1], plain(field?.[2] ?? '')])),
  };
}

/** Numbers and truth values are what they look like; everything else is text. */
function plain(value: string): unknown {
  return /^(true|false|-?\d+(\.\d+)?)$/.test(value) ? JSON.parse(value) : value;
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
