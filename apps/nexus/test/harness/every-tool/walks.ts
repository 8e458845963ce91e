import { madeOf } from './fill.ts';
import type { Size } from './size.ts';

type Args = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answer = any;

/** Lists that go on: all of it comes, once each, and the total is said on each page. */
export interface Walk {
  readonly tool: string;
  readonly args: Args;
  /** The list of the structure, or its part that has one, with how many there are. */
  readonly list: string | ((answer: Answer) => { readonly items: readonly Answer[]; readonly total: number });
  /** What tells one item from another. */
  key(item: Answer): unknown;
  /** How many there are; undefined where only the tool can tell. */
  readonly total?: number;
  /** What of an item its text has to have whole, where that is no JSON. */
  text?(item: Answer): string;
}

/** What says where it goes on, and is no list of items: what shows each of them to be whole. */
export const OTHER_WALKS: Readonly<Record<string, string>> = {
  delegate_to_model: 'ten models at most beside the best one; there are none here',
  fetch_inbox: 'goes on by a cursor, and is walked for itself',
  list_toolboxes: 'one toolbox is here; walked in its own tests',
  list_experts: 'nobody is created without a model; walked in its own tests',
  git_history: 'lines of text, walked in its own tests',
  read_result: 'parts of text and lists, walked in its own tests',
  research_catalog_review: 'fits its entries as research_query does',
  research_discover: 'works of sources elsewhere, walked in its own tests',
  survey_oss_landscape: 'pages of GitHub’s, walked in its own tests',
  use_tool: 'parts of another tool’s result, walked in its own tests',
  verify_audit_chain: 'faults of a trail; there are none here',
};

export function walks(size: Size, { runId, taskId }: Readonly<Record<string, string>>): readonly Walk[] {
  const { count } = size;
  const made = madeOf(size);
  const place = ({ file, line, column }: Answer) => JSON.stringify([file, line, column]);
  return [
    {
      tool: 'task_status',
      args: { label: 'all', limit: 200 },
      list: 'tasks',
      key: (task) => task.taskId,
      total: count,
    },
    {
      tool: 'query_task_state',
      args: { taskId },
      list: ({ events, total }) => ({ items: events.toReversed(), total }),
      key: ({ state, reason }) => `${state} ${reason}`,
      total: count + 1,
    },
    {
      tool: 'list_files',
      args: { directory: 'src', limit: 2_000 },
      list: 'files',
      key: (file) => file,
      total: count,
    },
    {
      tool: 'extract_symbols',
      args: { glob: 'src/**', limit: 2_000 },
      list: 'symbols',
      key: place,
      total: count,
    },
    {
      tool: 'search_codebase',
      args: { query: 'shared', glob: 'src/**', limit: 200 },
      list: 'hits',
      key: place,
      total: count,
    },
    {
      tool: 'search_codebase',
      args: { query: 'own_', mode: 'symbol', limit: 200 },
      list: 'hits',
      key: place,
      total: count,
    },
    {
      tool: 'search_codebase',
      args: { query: 'src/f', mode: 'path', limit: 200 },
      list: 'hits',
      key: ({ file }) => file,
      total: count,
    },
    {
      tool: 'search_usages',
      args: { symbol: 'shared', limit: 500 },
      list: 'references',
      key: place,
      total: count,
    },
    {
      tool: 'memory_query',
      args: { query: '*', limit: 100, source: 'typed' },
      list: 'results',
      key: ({ key }) => key,
      total: count,
      text: ({ value }) => value,
    },
    {
      tool: 'memory_query',
      args: { query: 'goes', limit: 100 },
      list: 'results',
      key: ({ key }) => key,
      total: count,
      text: ({ value }) => value,
    },
    {
      tool: 'list_jobs',
      args: { limit: 200 },
      list: 'jobs',
      key: ({ jobId }) => jobId,
      total: made + 1,
    },
    {
      tool: 'list_workflows',
      args: { format: 'full' },
      list: ({ workflows, count: all }) => ({ items: workflows, total: all }),
      key: ({ kind, name }) => `${kind} ${name}`,
    },
    {
      tool: 'query_trace',
      args: { limit: 1_000, runId },
      list: 'spans',
      key: ({ id }) => id,
    },
    {
      tool: 'research_query',
      args: { action: 'search', limit: 200 },
      list: 'results',
      key: ({ id }) => id,
      total: count,
    },
    {
      tool: 'find_tools',
      args: { queries: ['its name'], limit: 20 },
      list: 'hits',
      key: ({ tool }) => tool,
      total: count,
    },
    {
      tool: 'bus_status',
      args: { limit: 100 },
      list: ({ workers }) => workers,
      key: ({ name }) => name,
      total: count + 2,
    },
    {
      tool: 'compare_data_feeds',
      args: { feedAPath: 'a.json', feedBPath: 'b.json', keyPath: 'id', limit: 100 },
      list: ({ changed: { shown, count } }) => ({ items: shown, total: count }),
      key: ({ key }) => key,
      total: count,
    },
  ];
}
