import type { CallContext } from '@nexus/plugin-sdk';
import type { WorkflowEntry } from '../catalogue/workflow-entry.ts';
import { graphRun } from './graph-run.ts';
import type { KeptDefinition } from './kept-definition.ts';
import { workflowRun } from './workflow-run.ts';

/** Of a call that a workflow's run makes: the workflows that its steps may call, as they were when it began. */
export async function keptForCall({
  run,
  host,
}: Pick<CallContext, 'run' | 'host'>): Promise<readonly WorkflowEntry[] | undefined> {
  if (!run) return undefined;
  const kept = await host.runs.definitionOf(run.id, [workflowRun, graphRun]);
  return (kept as KeptDefinition | undefined)?.called; // as beginningOf made it
}
