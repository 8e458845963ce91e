import type { GraphFile } from '../definition/file-schema.ts';
import type { Scope } from '../expressions/evaluate.ts';
import { filler } from './fill.ts';
import { own, type Records } from './graph-edges.ts';
import type { WorkflowInput } from './kept-definition.ts';

/** What the nodes share, as it stands after these visits: of each part, what was set last. */
export function stateOf(
  file: GraphFile,
  { inputs }: WorkflowInput,
  records: Records,
): Record<string, unknown> {
  const state = filler(file.state, 'state')({ inputs }) as Record<string, unknown>; // an object, by the schema
  const sets = file.nodes
    .flatMap(({ id }) => own(records, id) ?? [])
    .sort((a, b) => a.endedAs - b.endedAs)
    .map(({ set }) => set);
  return Object.assign(state, ...sets) as Record<string, unknown>;
}

/** What the expressions of a graph see. */
export function graphScope(
  file: GraphFile,
  given: WorkflowInput,
  { records, visits }: { readonly records: Records; readonly visits: Readonly<Record<string, number>> },
): Scope {
  const nodes = file.nodes.map(({ id }) => {
    const record = own(records, id);
    return [id, { output: record?.output ?? null, visits: own(visits, id) ?? 0 }] as const;
  });
  return { inputs: given.inputs, state: stateOf(file, given, records), nodes: Object.fromEntries(nodes) };
}
