import { nearestArgument, nearestNames } from '@nexus/plugin-sdk';
import { visibleWord } from '@nexus/untrusted/shown';
import type { Client } from '../client/connect-to-nexus.ts';
import { everyTool } from '../client/every-tool.ts';
import { readTool } from '../client/read-tool.ts';

const LIST_WORKFLOWS = '`nexus call list_workflows format=names`';

/** What was typed, and behind what: `run` is for workflows first, `call` for tools. */
interface Typed {
  readonly name: string;
  readonly behind: 'run' | 'call';
  /** What may stand behind `nexus`. */
  readonly commands: readonly string[];
}

/** What to type instead of a name that nothing bears, or that something of another sort bears. */
export async function nothingCalled(client: Client, { name, behind, commands }: Typed): Promise<string> {
  if (commands.includes(name)) return `${name} is a command itself: \`nexus ${name}\``;
  const { tools, withheld, denied } = await everyTool(client);
  if (withheld[name] !== undefined) return `${name} is not offered: ${withheld[name]}`;
  if (denied[name] !== undefined) return denied[name];
  const toolNames = tools.map(({ listing }) => listing.name);
  const workflowNames = toolNames.includes('list_workflows') ? await namesOfWorkflows(client) : [];
  if (workflowNames.includes(name)) return `${name} is a workflow: \`nexus run ${name}\` runs it`;
  const said = `there is nothing called ${visibleWord(name)}`;
  const all = [...new Set([...workflowNames, ...toolNames])];
  const listTools = '`nexus tools` lists the tools';
  const near = behind === 'run' ? nearToRun(name, { workflowNames, toolNames }) : nearestNames(name, all);
  if (near.length > 0) {
    const typed = near.map((each) => `\`nexus ${workflowNames.includes(each) ? 'run' : 'call'} ${each}\``);
    const lists =
      behind === 'run' && workflowNames.length > 0 ? `${LIST_WORKFLOWS} lists the workflows` : listTools;
    return `${said}; did you mean ${typed.join(' or ')}? ${lists}.`;
  }
  return [
    `${said}; ${listTools}`,
    ...(toolNames.includes('list_workflows') ? [`${LIST_WORKFLOWS} the workflows`] : []),
    '`nexus find <words>` finds the tools of other servers',
  ].join(', ');
}

/** Workflows are looked for widely; a tool that does no more than share a word with the name is not what is to be run. */
function nearToRun(
  name: string,
  { workflowNames, toolNames }: Readonly<Record<'workflowNames' | 'toolNames', readonly string[]>>,
): string[] {
  const workflows = nearestNames(name, workflowNames);
  const tool = nearestArgument(name, toolNames);
  return tool === undefined ? workflows : [...workflows, tool];
}

/** Enough to tell what is meant: a project that has more is told where all are listed. */
async function namesOfWorkflows(client: Client): Promise<string[]> {
  const { workflows } = await readTool(client, 'list_workflows', { format: 'names' });
  return [...new Set(workflows.map((each) => each.name))];
}
