import type { WorkflowEntry } from '../catalogue/workflow-entry.ts';
import type { Definition } from '../definition/file-schema.ts';

/** What a run is made by; kept with it, so that a changed file never changes a run in flight. */
export interface KeptDefinition<Kind extends Definition['kind'] = Definition['kind']> {
  readonly file: Extract<Definition, { readonly kind: Kind }>;
  /** Workflows that its steps may call, and that those may; absent of what an earlier version has begun. */
  readonly called?: readonly WorkflowEntry[];
}

export interface WorkflowInput {
  /** Of the workflow, for people. */
  readonly workflow: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}
