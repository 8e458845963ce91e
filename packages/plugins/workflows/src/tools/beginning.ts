import { type CallContext, type RunBeginning, ToolError } from '@nexus/plugin-sdk';
import { faultyError } from '../catalogue/catalogue.ts';
import type { FaultyFile, WorkflowEntry } from '../catalogue/workflow-entry.ts';
import type { Definition } from '../definition/file-schema.ts';
import { faultsHere } from '../runs/check-here.ts';
import { heldInputs } from '../runs/held-inputs.ts';
import type { KeptDefinition, WorkflowInput } from '../runs/kept-definition.ts';
import type { WorkflowsState } from '../state.ts';

export interface ToBegin {
  readonly found: WorkflowEntry | FaultyFile;
  /** Of the text that is meant; a file of another is refused. */
  readonly digest: string | undefined;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number | undefined;
  /** See {@link KeptDefinition.called}: of the run that makes the call. */
  readonly kept: readonly WorkflowEntry[] | undefined;
}

/** Which tool runs which. */
const RUN_BY = { workflow: 'run_workflow', graph: 'run_graph_workflow' } as const;

/**
 * What the run of a workflow begins with: its file as it was found, those that it calls, and its inputs.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS with every fault of the file, or of the inputs; NEXUS_CONFLICT for a
 *   file that is another than is meant
 */
export async function beginningOf(
  of: Definition['kind'],
  { found, digest, inputs, timeoutMs, kept }: ToBegin,
  context: CallContext<WorkflowsState>,
): Promise<RunBeginning<WorkflowInput>> {
  if (digest !== undefined && found.digest !== digest) {
    const text = `${found.file} is not as it was: its digest is ${found.digest ?? 'none'}, and ${digest} is meant. list_workflows shows it as it is now.`;
    throw new ToolError('NEXUS_CONFLICT', text, { detail: { file: found.file } });
  }
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
  const held = heldInputs(definition, inputs);
  const faults = here.filter(({ isFinal }) => isFinal);
  if (faults.length > 0) throw faultyError({ file, faults });
  const { signal, roots, state } = context;
  const called = await state.catalogue.calledBy(found.work, { signal, roots, kept });
  return {
    ...held,
    definition: {
      file: definition,
      ...(called.length === 0 ? {} : { called }),
    } satisfies KeptDefinition,
    timeoutMs,
  };
}
