import type { researchAddSource } from '@nexus/plugin-research';
import type { z } from 'zod';
import { connectToNexus } from '../client/connect-to-nexus.ts';
import { readTool, type ToolAnswer } from '../client/read-tool.ts';
import { age } from '../terminal/age.ts';
import { fail, print, printJson } from '../terminal/output.ts';
import { table } from '../terminal/table.ts';
import {
  type Command,
  configOption,
  jsonOption,
  limit,
  limitOption,
  type Options,
  text,
  texts,
} from './command.ts';

type Client = Parameters<typeof readTool>[0];
type Shown = readonly string[];

const PAGE_TYPES = Object.keys({
  paper: true,
  preprint: true,
  standard: true,
  documentation: true,
  repository: true,
  dataset: true,
  report: true,
  blog: true,
  news: true,
  forum: true,
  other: true,
} satisfies Record<z.input<(typeof researchAddSource)['input']>['type'], true>);

export const research: Command = {
  usage: 'research <action> [words...]',
  summary: 'keep papers and sources for the project, list and search them, and review what they mention',
  options: [
    {
      flags: '--topic <topic>',
      description: 'add and review approve: the topic to keep it under; review: only this topic',
    },
    {
      flags: '--priority <priority>',
      description: 'add: a paper’s priority, P1 to P4',
      choices: ['P1', 'P2', 'P3', 'P4'],
    },
    { flags: '--name <name>', description: 'add: what people call the page, which makes it a source' },
    {
      flags: '--type <type>',
      description: 'add: what kind of page it is, such as blog or standard',
      choices: PAGE_TYPES,
    },
    {
      flags: '--quote <words>',
      description: 'add: words of it, exactly as they stand there',
      isRepeated: true,
    },
    { flags: '--dry-run', description: 'add: only look, and keep nothing' },
    jsonOption,
    limitOption,
    configOption,
  ],
  examples: [
    'research add 2101.00001 --topic roofs --priority P1',
    'research add https://example.org/roofs --name "Green roofs" --type blog',
    'research list',
    'research search summer heat',
    'research review',
    'research review approve arxiv:2101.00001 --topic roofs',
    'research review dismiss doi:10.1000/r',
  ],
  async run([action, given = []], options) {
    const words = (typeof given === 'string' ? [given] : given).map(String);
    const work = actions[String(action)];
    if (!work) {
      return fail(`no action "${String(action)}"; use ${Object.keys(actions).join(', ')}`);
    }
    const call = work(words, options);
    if (typeof call === 'string') return fail(call);
    await using connection = await connectToNexus({ config: text(options, 'config') });
    const { answer, lines } = await call(connection);
    return options.json === true ? printJson(answer) : print(lines);
  },
};

type Call = (client: Client) => Promise<{ readonly answer: unknown; readonly lines: Shown }>;

/** Each by its name: what is to be asked of the server, or why it can't be. */
const actions: Readonly<Record<string, (words: Shown, options: Options) => Call | string>> = {
  add: ([what, ...more], options) => {
    if (what === undefined || more.length > 0) return 'nexus research add needs one arXiv id, or one URL';
    const isSource = text(options, 'name') !== undefined || text(options, 'type') !== undefined;
    return isSource ? addSource(what, options) : addPaper(what, options);
  },
  list: (words, options) =>
    words.length > 0 ? 'nexus research list takes no words; search does' : find(undefined, options),
  search: (words, options) =>
    words.length === 0 ? 'nexus research search needs words' : find(words.join(' '), options),
  review: ([action = 'list', identifier, ...more], options) =>
    more.length > 0 ? 'nexus research review takes one id' : review(action, { identifier, options }),
};

function addPaper(arxivId: string, options: Options): Call {
  return async (client) => {
    const answer = await readTool(client, 'research_add', {
      arxivId,
      ...given('topic', options),
      ...given('priority', options),
      quotes: texts(options, 'quote'),
      dryRun: options.dryRun === true,
    });
    const { entry, added, failedSources } = answer;
    return {
      answer,
      lines: [
        `${added ? 'Kept' : 'Not kept, as asked'}: ${String(entry.id)}  ${String(entry.title)}`,
        ...failedSources.map((each) => `not asked: ${String(each.source)}: ${String(each.reason)}`),
      ],
    };
  };
}

function addSource(url: string, options: Options): Call {
  return async (client) => {
    const topic = text(options, 'topic');
    const answer = await readTool(client, 'research_add_source', {
      url,
      ...given('name', options),
      ...given('type', options),
      topics: topic === undefined ? [] : [topic],
      quotes: texts(options, 'quote'),
      dryRun: options.dryRun === true,
    });
    const { sourceId, added, fetched, mentions } = answer;
    return {
      answer,
      lines: [
        `${added ? 'Kept' : 'Not kept, as asked'}: ${sourceId}  ${String(fetched.title ?? '')}`,
        ...(mentions.length > 0
          ? [`it mentions ${mentions.join(', ')}; \`nexus research review\` shows them`]
          : []),
      ],
    };
  };
}

function find(query: string | undefined, options: Options): Call {
  return async (client) => {
    const asked = { action: 'search', limit: limit(options), ...(query === undefined ? {} : { query }) };
    const answer = await readTool(client, 'research_query', asked);
    const { results = [], total = 0 } = answer;
    if (results.length === 0) {
      const nothing = query === undefined ? 'Nothing is kept yet.' : `Nothing that is kept fits "${query}".`;
      return { answer, lines: [nothing, '  nexus research add 2101.00001 --topic roofs'] };
    }
    const rows = results.map(({ kind, id, name, topic, priority, retraction }) => [
      String(kind),
      String(id),
      String(priority ?? '-'),
      standing(retraction),
      String(topic ?? '-'),
      String(name),
    ]);
    const more = total > results.length ? [`and ${total - results.length} more; --limit shows more`] : [];
    return {
      answer,
      lines: [...table(['KIND', 'ID', 'PRIORITY', 'RETRACTED', 'TOPIC', 'NAME'], rows), ...more],
    };
  };
}

/** Of a paper: what is known of its retraction, and how old that is. */
function standing(retraction: unknown): string {
  const { status, asOf } = (retraction ?? {}) as { status?: string; asOf?: string }; // as research_query has it
  return status === undefined ? '-' : asOf === undefined ? status : `${status}, ${age(asOf)} ago`;
}

function review(
  action: string,
  { identifier, options }: { readonly identifier: string | undefined; readonly options: Options },
): Call | string {
  if (action !== 'list' && identifier === undefined) return `nexus research review ${action} needs an id`;
  return async (client) => {
    const answer: ToolAnswer<'research_catalog_review'> = await readTool(client, 'research_catalog_review', {
      action,
      limit: limit(options),
      ...(identifier === undefined ? {} : { identifier }),
      ...given('topic', options),
    });
    const { entries, total } = answer;
    if (entries.length === 0) return { answer, lines: ['Nothing waits for a review.'] };
    const rows = entries.map(({ id, status, foundIn, title, mention }) => [
      String(id),
      String(status),
      String(foundIn ?? '-'),
      String(title ?? mention ?? '-'),
    ]);
    const more = total > entries.length ? [`and ${total - entries.length} more; --limit shows more`] : [];
    return { answer, lines: [...table(['ID', 'STATUS', 'FOUND IN', 'SAYS'], rows), ...more] };
  };
}

function given(name: string, options: Options): Readonly<Record<string, string>> {
  const value = text(options, name);
  return value === undefined ? {} : { [name]: value };
}
