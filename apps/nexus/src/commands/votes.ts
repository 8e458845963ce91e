import { ANSWER_MS, endsWithin } from '@nexus/core';
import type { VoteView, WholeVote } from '@nexus/plugin-consensus';
import type { Run } from '@nexus/plugin-sdk';
import { ID_SORTS, idMeant, startOfId } from '@nexus/primitives';
import { visibleLine } from '@nexus/untrusted/shown';
import { connectToNexus } from '../client/connect-to-nexus.ts';
import { readTool } from '../client/read-tool.ts';
import { askRuns } from '../runs/ask-runs.ts';
import { age } from '../terminal/age.ts';
import { fail, print, printJson, printMarkdown } from '../terminal/output.ts';
import { shownId } from '../terminal/short-id.ts';
import { table } from '../terminal/table.ts';
import {
  type Command,
  configOption,
  faultOfForeign,
  jsonOption,
  limit,
  limitOption,
  type Options,
  text,
} from './command.ts';

/** As `nexus://votes` has it. */
interface Listed {
  readonly votes: readonly VoteView[];
  readonly total: number;
}

export const votes: Command = {
  usage: 'votes [words...]',
  summary: 'show the votes, or one of them; say how one turned out, by which its voters count more or less',
  options: [
    { flags: '--source <text>', description: 'with outcome: who says so, or what shows it' },
    jsonOption,
    limitOption,
    configOption,
  ],
  examples: [
    'votes',
    'votes 5b0c1d2e',
    'votes outcome 5b0c1d2e right',
    'votes outcome 5b0c1d2e wrong --source "rolled back in May"',
  ],
  async run([given = []], options) {
    const [action, written, outcome] = (typeof given === 'string' ? [given] : given).map(String);
    const form = action === undefined ? 'list' : action === 'outcome' ? 'outcome' : 'one';
    const fault = faultOfForm(form, options);
    if (fault !== undefined) return fail(fault);
    if (action === undefined) return list(options);
    if (action !== 'outcome') {
      if (written === undefined) return showOne(action, options);
      return fail(`no action "${action}"; use outcome, the id of a vote, or nothing for the list`);
    }
    if (written === undefined || (outcome !== 'right' && outcome !== 'wrong')) {
      return fail('nexus votes outcome needs the recordId of a vote or the id of a run, and right or wrong');
    }
    const recordId = await recordOf(written, options);
    const source = text(options, 'source') ?? 'nexus votes outcome';
    await using connection = await connectToNexus({ config: text(options, 'config') });
    const told = await readTool(connection, 'tell_outcome', { recordId, outcome, source });
    if (options.json) return printJson(told);
    if (!told.ballots)
      return print([`Run ${shownId(told.recordId)} turned out ${told.outcome}${ofModels(told.models)}`]);
    const { right, wrong } = told.ballots;
    return print([
      `Vote ${shownId(told.recordId)} (${told.decision}) was ${told.outcome}: ${right} of its ballots were right, ${wrong} wrong.`,
    ]);
  },
};

const LIST = 'nexus votes';
const OUTCOME = 'nexus votes outcome <id> <right or wrong>';

function faultOfForm(form: 'list' | 'one' | 'outcome', options: Options): string | undefined {
  const asked = { list: LIST, one: 'nexus votes <id>', outcome: OUTCOME }[form];
  const ofList = form === 'list' ? undefined : faultOfForeign(['limit'], { readBy: LIST, asked }, options);
  const ofOutcome =
    form === 'outcome' ? undefined : faultOfForeign(['source'], { readBy: OUTCOME, asked }, options);
  return ofList ?? ofOutcome;
}

function ofModels(models: readonly string[]): string {
  return models.length === 0
    ? '; no call of a model in it is on record.'
    : `, on the record of ${models.join(', ')}.`;
}

function readVotes(options: Options): Promise<Listed> {
  return readJson('nexus://votes', options);
}

async function readJson<Read>(uri: string, options: Options): Promise<Read> {
  await using connection = await connectToNexus({ config: text(options, 'config') });
  const { contents } = (await connection.request(
    'resources/read',
    { uri },
    { signal: endsWithin(ANSWER_MS) },
  )) as {
    contents: readonly { text: string }[];
  }; // of our own server
  return JSON.parse(contents[0]?.text ?? '{}') as Read;
}

const WHOLE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The vote or the run that a person means.
 * @throws {Error} where they mean none, or several
 */
async function recordOf(written: string, options: Options): Promise<string> {
  const vote = await voteMeant(written, options);
  if ('id' in vote) return vote.id;
  // What is no beginning of a vote may be one of a run.
  if (vote.why !== 'none' && vote.why !== 'other') throw new Error(vote.fault);
  try {
    return (await askRuns<Run>({ what: 'show', id: written }, text(options, 'config'))).id;
  } catch (error) {
    throw new Error(`${vote.fault} ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** One that is older than those that are listed is known by its whole id. */
async function voteMeant(written: string, options: Options): Promise<ReturnType<typeof idMeant>> {
  const read = startOfId(written, ID_SORTS.vote);
  if ('fault' in read) return read;
  if (WHOLE_ID.test(read.start)) return { id: read.start };
  const { votes: all } = await readVotes(options);
  return idMeant(
    written,
    all.map(({ recordId }) => recordId),
    ID_SORTS.vote,
  );
}

/** The whole of it: who voted, why, under which conditions, and how it turned out. */
async function showOne(written: string, options: Options): Promise<number> {
  const meant = await voteMeant(written, options);
  if ('fault' in meant) return fail(meant.fault);
  const { id } = meant;
  const vote = await readJson<WholeVote>(`nexus://votes/${id}`, options);
  if (options.json) return printJson(vote);
  const { decision, option, approval, strategy, outcome, outcomeSource, runId } = vote;
  print([
    visibleLine(`Vote ${shownId(id)}, ${age(vote.at)} ago: ${unbroken(vote.proposal)}`),
    visibleLine(
      `Decided: ${decision}${option === undefined ? '' : `, ${option}`} (${strategy}, approval ${Math.round(approval * 100)}%)`,
    ),
    outcome === null || outcome === undefined
      ? `Outcome: not told yet; \`nexus votes outcome ${shownId(id)} right\` or \`wrong\` tells it`
      : visibleLine(`Outcome: ${outcome}, by ${outcomeSource}`),
    `Its run, as long as that is on record: \`nexus runs ${shownId(runId)}\``,
    '',
  ]);
  return printMarkdown(withoutWayOn(vote.summary, id));
}

/** A person has read above how the outcome is told, with the short id. */
function withoutWayOn(summary: string, id: string): string {
  const at = summary.lastIndexOf(`\n\nRecord \`${id}\``);
  return at < 0 ? summary : summary.slice(0, at);
}

/** A proposal may have several lines, of which each row has one. */
const unbroken = (text: string) => text.replace(/\s+/g, ' ').trim();

async function list(options: Options): Promise<number> {
  const { votes: all, total } = await readVotes(options);
  const shown = all.slice(0, limit(options));
  if (options.json) return printJson({ votes: shown, total });
  if (shown.length === 0) return print(['No votes yet. The tool consensus_vote holds one.']);
  const rows = shown.map((vote) => [
    shownId(vote.recordId),
    vote.decision,
    vote.outcome ?? '-',
    age(vote.at),
    unbroken(vote.option === undefined ? vote.proposal : `${vote.option}: ${vote.proposal}`),
  ]);
  const more = total > shown.length ? [`and ${total - shown.length} more; --limit shows more`] : [];
  return print([...table(['RECORD', 'DECISION', 'OUTCOME', 'AGE', 'PROPOSAL'], rows), ...more]);
}
