import type { Client } from '../client/connect-to-nexus.ts';
import { readTool, type ToolAnswer } from '../client/read-tool.ts';
import { canAsk } from '../runs/person-at-terminal.ts';
import { askValue } from '../terminal/ask-value.ts';
import { argumentFiles, callArguments } from './call-arguments.ts';
import type { CallToMake } from './show-call.ts';

/** What a dry run says of a workflow; a file that has faults is of no kind. */
export type DryRun = ToolAnswer<'run_workflow'>;

/** @throws {Error} in the server's words where there is no such workflow */
export function dryRun(
  client: Client,
  template: string,
  inputs: Readonly<Record<string, unknown>> = {},
): Promise<DryRun> {
  return readTool(client, 'run_workflow', { template, dryRun: true, inputs });
}

/** What a person has written of a workflow's inputs, each as its type is read. */
export function givenInputs({ inputs = [] }: DryRun, words: readonly string[]): Record<string, unknown> {
  const schema = {
    properties: Object.fromEntries(inputs.map(({ name, type }) => [name, { type }])),
  };
  return callArguments(words, { schema, ...argumentFiles });
}

/** The call that runs a workflow, with what the person gave and, on a terminal, is asked for. */
export async function workflowCall(
  template: string,
  found: DryRun,
  { words, signal }: { readonly words: readonly string[]; readonly signal: AbortSignal },
): Promise<CallToMake> {
  const { kind, inputs = [], missingInputs = [] } = found;
  const names = kind === 'graph' ? GRAPH : WORKFLOW;
  const given = givenInputs(found, words);
  for (const name of missingInputs) {
    const input = inputs.find((each) => each.name === name);
    if (!input || Object.hasOwn(given, name) || !canAsk()) continue;
    const answer = await askValue(`${input.description} (${name})`, signal);
    if (answer !== '') Object.assign(given, givenInputs(found, [`${name}=${answer}`]));
  }
  return { tool: names.tool, arguments: { [names.argument]: template, inputs: given } };
}

const WORKFLOW = { tool: 'run_workflow', argument: 'template' } as const;
const GRAPH = { tool: 'run_graph_workflow', argument: 'workflow' } as const;
