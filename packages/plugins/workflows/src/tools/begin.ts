import { beginRun, type CallContext, capOf, type Run, type RunKind, ToolError } from '@nexus/plugin-sdk';
import { faultyError } from '../catalogue/catalogue.ts';
import type { FaultyFile, WorkflowEntry } from '../catalogue/workflow-entry.ts';
import type { Definition } from '../definition/file-schema.ts';
import { faultsHere, repeatableTools } from '../runs/check-here.ts';
import { assertInputs, checkInputs } from '../runs/inputs.ts';
import type { KeptDefinition, WorkflowInput } from '../runs/kept-definition.ts';
import type { WorkflowsState } from '../state.ts';

export interface ToBegin {
  readonly found: WorkflowEntry | FaultyFile;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number | undefined;
}

/** Which tool runs which. */
const RUN_BY = { workflow: 'run_workflow', graph: 'run_graph_workflow' } as const;

/**
 * Begins the run of a workflow for a call.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS with every fault of the file, or of the inputs
 */
export async function begin<Output>(
  context: CallContext<WorkflowsState>,
  {
    of,
    kind,
  }: { readonly of: Definition['kind']; readonly kind: RunKind<WorkflowsState, WorkflowInput, Output> },
  { found, inputs, timeoutMs }: ToBegin,
): Promise<Run> {
  const here = await faultsHere(found, context);
  if (!('definition' in found)) throw faultyError({ file: found.file, faults: [...found.faults, ...here] });
  const { definition, file } = found;
  const { name } = definition;
  if (definition.kind !== of) {
    const text = `"${name}" is a ${definition.kind}; run it by ${RUN_BY[definition.kind]}.`;
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', text, {
      detail: { name, runBy: RUN_BY[definition.kind] },
    });
  }
  const checked = checkInputs(definition.inputs, inputs);
  assertInputs(name, definition.inputs, checked);
  const faults = here.filter(({ isFinal }) => isFinal);
  if (faults.length > 0) throw faultyError({ file, faults });
  return beginRun(context, kind, {
    input: { workflow: name, inputs: checked.values },
    definition: {
      file: definition,
      repeatable: repeatableTools(found, context.tools),
    } satisfies KeptDefinition,
    title: titleOf(name, inputs),
    timeoutMs,
    cap: capOf(context.state.options),
  });
}

/** With the first text that it was given, so that runs of one workflow can be told apart. */
function titleOf(name: string, inputs: Readonly<Record<string, unknown>>): string {
  const text = Object.values(inputs).find((value) => typeof value === 'string' && value !== '');
  return text === undefined ? name : `${name}: ${text}`;
}
