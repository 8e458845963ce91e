import type { Fault, Place } from '../definition/fault.ts';
import type { Definition } from '../definition/file-schema.ts';

/** Whose a workflow is: Nexus's own, or the repository's that it lies in. */
export type Origin = 'shipped' | 'project';

/** A workflow that can be run. */
export interface WorkflowEntry {
  readonly definition: Definition;
  readonly origin: Origin;
  /** Relative to the project; of a shipped one, its file's name. */
  readonly file: string;
  readonly places: Readonly<Record<string, Place>>;
}

/** A file that is no workflow yet. */
export interface FaultyFile {
  readonly file: string;
  readonly faults: readonly Fault[];
}
