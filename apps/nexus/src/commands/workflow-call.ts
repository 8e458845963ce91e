import type { Client } from '../client/connect-to-nexus.ts';
import { readTool, type ToolAnswer } from '../client/read-tool.ts';
import { canAsk } from '../runs/person-at-terminal.ts';
import { askValue } from '../terminal/ask-value.ts';
import { argumentFiles, callArguments } from './call-arguments.ts';
import type { CallToMake } from './show-call.ts';

/** What a dry run says of a workflow; a file that has faults is of no kind. */
export type DryRun = ToolAnswer<'run_workflow'>;

/** @throws {Error} in the server's words where there is no such workflow */
export function dryRun(client: Client, template: string): Promise<DryRun> {
  return readTool(client, 'run_workflow', { template, dryRun: true });
}

/** The call that runs a workflow, with what the person gave and, on a terminal, is asked for. */
export async function workflowCall(
  template: string,
  { kind, inputs = [], missingInputs = [] }: DryRun,
  { words, signal }: { readonly words: readonly string[]; readonly signal: AbortSignal },
): Promise<CallToMake> {
  const names = kind === 'graph' ? GRAPH : WORKFLOW;
  const schema = {
    properties: Object.fromEntries(inputs.map(({ name, type }) => [name, { type }])),
  };
  const given = callArguments(words, { schema, ...argumentFiles });
  for (const name of missingInputs) {
    const input = inputs.find((each) => each.name === name);
    if (!input || Object.hasOwn(given, name) || !canAsk()) continue;
    const answer = await askValue(`${input.description} (${name})`, signal);
    if (answer !== '')
      Object.assign(given, callArguments([`${name}=${answer}`], { schema, ...argumentFiles }));
  }
  return { tool: names.tool, arguments: { [names.argument]: template, inputs: given } };
}

const WORKFLOW = { tool: 'run_workflow', argument: 'template' } as const;
const GRAPH = { tool: 'run_graph_workflow', argument: 'workflow' } as const;
