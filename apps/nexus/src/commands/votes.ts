import { ANSWER_MS, endsWithin } from '@nexus/core';
import type { VoteView } from '@nexus/plugin-consensus';
import type { VoteOutcomeOutput } from '@nexus/plugin-sdk';
import { visibleStart } from '@nexus/untrusted/shown';
import { connectToNexus } from '../client/connect-to-nexus.ts';
import { askRuns } from '../client/runs.ts';
import { age } from '../terminal/age.ts';
import { table } from '../terminal/table.ts';
import { type Command, configOption, jsonOption, limit, limitOption, type Options, text } from './command.ts';
import { fail, print, printJson } from './output.ts';

/** As `nexus://votes` has it. */
interface Listed {
  readonly votes: readonly VoteView[];
  readonly total: number;
}

export const votes: Command = {
  usage: 'votes [words...]',
  summary: 'show the votes on record, or tell how one turned out: voters are weighed by it',
  options: [
    { flags: '--source <text>', description: 'with outcome: who says so, or what showed it' },
    jsonOption,
    limitOption,
    configOption,
  ],
  examples: ['votes', 'votes outcome 5b0c… right', 'votes outcome 5b0c… wrong --source "rolled back in May"'],
  async run([given = []], options) {
    const [action, recordId, outcome] = (typeof given === 'string' ? [given] : given).map(String);
    if (action === undefined) return list(options);
    if (action !== 'outcome') return fail(`no action "${action}"; use outcome, or nothing for the list`);
    if (recordId === undefined || (outcome !== 'right' && outcome !== 'wrong')) {
      return fail('nexus votes outcome needs the recordId of a vote, and right or wrong');
    }
    const source = text(options, 'source') ?? 'nexus votes outcome';
    const told = await askRuns<VoteOutcomeOutput>(
      { what: 'tell-outcome', input: { recordId, outcome, source } },
      text(options, 'config'),
    );
    if (options.json) return printJson(told);
    const { right, wrong } = told.ballots;
    return print([
      `Vote ${told.recordId} (${told.decision}) was ${told.outcome}: ${right} of its ballots were right, ${wrong} wrong.`,
    ]);
  },
};

async function list(options: Options): Promise<number> {
  await using connection = await connectToNexus({ config: text(options, 'config') });
  const { contents } = (await connection.request(
    'resources/read',
    { uri: 'nexus://votes' },
    { signal: endsWithin(ANSWER_MS) },
  )) as {
    contents: readonly { text: string }[];
  }; // of our own server
  const { votes: all, total } = JSON.parse(contents[0]?.text ?? '{}') as Listed;
  const shown = all.slice(0, limit(options));
  if (options.json) return printJson({ votes: shown, total });
  if (shown.length === 0) return print(['No votes yet. The tool consensus_vote holds one.']);
  const rows = shown.map((vote) => [
    vote.recordId,
    vote.decision,
    vote.outcome ?? '-',
    age(vote.at),
    visibleStart(vote.option === undefined ? vote.proposal : `${vote.option}: ${vote.proposal}`, 60),
  ]);
  const more = total > shown.length ? [`and ${total - shown.length} more; --limit shows more`] : [];
  return print([...table(['RECORD', 'DECISION', 'OUTCOME', 'AGE', 'PROPOSAL'], rows), ...more]);
}
