import type { StdioServer } from '../servers.ts';
import { byNexus, type Took, together } from './ways.ts';
import type { ToolUse } from './work.ts';

/** Parts of what is found and used that are read by `pick`, and by `bundle`, at most. */
export const MOST_PICKED = 0.25;
export const MOST_BUNDLED = 0.12;

/** A tool of another server whose answer is large, and what of it is wanted. */
interface LargeAnswer {
  readonly what: string;
  readonly query: string;
  readonly toolbox: string;
  readonly tool: string;
  readonly arguments: object;
  readonly pick: readonly string[];
}

const answers: readonly LargeAnswer[] = [
  {
    ...{ what: 'issues of a tracker', query: 'list issues', toolbox: 'tracker', tool: 'list_issues' },
    ...{ arguments: { repository: 'acme/shop', state: 'all' }, pick: ['[].number', '[].title'] },
  },
  {
    ...{ what: 'rows of a database', query: 'query orders sql', toolbox: 'tracker', tool: 'query_orders' },
    ...{ arguments: { sql: 'select * from orders' }, pick: ['rows[].id', 'rows[].status'] },
  },
  {
    ...{ what: 'hits of a search', query: 'search wiki pages', toolbox: 'tracker', tool: 'search_wiki' },
    ...{ arguments: { query: 'deploy' }, pick: ['results[].url'] },
  },
  {
    ...{ what: 'a tree of folders', query: 'directory tree', toolbox: 'files', tool: 'directory_tree' },
    ...{ arguments: { path: 'src' }, pick: ['[].name', '[].children[].name'] },
  },
  {
    ...{ what: 'a knowledge graph', query: 'read knowledge graph', toolbox: 'graph', tool: 'read_graph' },
    ...{ arguments: {}, pick: ['entities[].name'] },
  },
];

export interface LargeTook {
  readonly what: string;
  readonly found: Took;
  readonly whole: Took;
  readonly picked: Took;
}

/** Each found and used whole, and found and used by `pick`; then all found, and read by one `bundle`. */
export async function largeAnswers(nexus: StdioServer) {
  const each: LargeTook[] = [];
  for (const { what, query, toolbox, tool, arguments: given, pick } of answers) {
    const found = await byNexus([find([query], [toolbox])], nexus);
    const use = { toolbox, tool, arguments: given };
    const whole = await byNexus([{ tool: 'use_tool', arguments: use }], nexus);
    const picked = await byNexus([{ tool: 'use_tool', arguments: { ...use, pick } }], nexus);
    each.push({ what, found, whole: together([found, whole]), picked: together([found, picked]) });
  }
  const ops = answers.map(({ toolbox, tool, arguments: given, pick }) => ({
    ...{ tool: `${toolbox}__${toolbox}__${tool}`, arguments: given, pick },
  }));
  const bundled = await byNexus([{ tool: 'bundle', arguments: { ops } }], nexus);
  return { each, bundled: together([...each.map(({ found }) => found), bundled]) };
}

function find(queries: readonly string[], toolboxes: readonly string[]): ToolUse {
  return { tool: 'find_tools', arguments: { queries, toolboxes, as: 'types' } };
}
