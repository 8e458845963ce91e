import type { CallContext } from '@nexus/plugin-sdk';
import type { FaultyFile, WorkflowEntry } from '../catalogue/workflow-entry.ts';
import { type Fault, faultLine, sortFaults } from '../definition/fault.ts';
import { type FaultHere, faultsHere } from '../runs/check-here.ts';
import { checkInputs } from '../runs/inputs.ts';
import { planOf } from '../runs/plan.ts';
import type { WorkflowsState } from '../state.ts';
import { planSummary } from './summary.ts';

/** What a run would do, and all that keeps it from that; nothing is done and nothing put on record. */
export async function dryRunOf(
  found: WorkflowEntry | FaultyFile,
  inputs: Readonly<Record<string, unknown>>,
  context: CallContext<WorkflowsState>,
) {
  const { file } = found;
  const here = await faultsHere(found, context);
  if (!('definition' in found)) {
    const faults = sortFaults([...found.faults, ...here.map(plainFault)]);
    const lines = faults.map((fault) => faultLine(file, fault));
    const summary = planSummary({ name: file, plan: [], missingInputs: [], faults: lines });
    return { status: 'faulty' as const, summary, file, plan: [], missingInputs: [], faults };
  }
  const { definition } = found;
  const given = checkInputs(definition.inputs, inputs);
  const ofInputs = given.faults.map((message): Fault => ({ line: 0, column: 0, path: 'inputs', message }));
  const plan = planOf(definition);
  const missingInputs = [...given.missing];
  const ofFile = sortFaults(here.map(plainFault));
  const lines = [
    ...given.faults.map((message) => `inputs: ${message}`),
    ...ofFile.map((each) => faultLine(file, each)),
  ];
  const isReady = lines.length === 0 && missingInputs.length === 0;
  return {
    status: isReady ? ('ready' as const) : ('faulty' as const),
    summary: planSummary({ name: definition.name, plan, missingInputs, faults: lines }),
    file,
    kind: definition.kind,
    inputs: definition.inputs,
    plan,
    missingInputs,
    faults: [...ofInputs, ...ofFile],
  };
}

function plainFault({ isFinal: _, ...fault }: FaultHere): Fault {
  return fault;
}
