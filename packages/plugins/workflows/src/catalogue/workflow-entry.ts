import type { Fault } from '../definition/fault.ts';
import type { Definition } from '../definition/file-schema.ts';
import type { PlacedWork } from '../definition/placed-work.ts';

/** Whose a workflow is: Nexus's own, or the repository's that it lies in. */
export type Origin = 'shipped' | 'project';

/** A file of workflows; one that has faults can't be run. */
export interface FoundFile {
  readonly origin: Origin;
  /** Relative to the project; of a shipped one, its file's name. */
  readonly file: string;
  readonly work: readonly PlacedWork[];
  /** Of its text, in hexadecimal SHA-256; of a shipped one, which is what this version has, absent. */
  readonly digest?: string;
}

/** A workflow that can be run. */
export interface WorkflowEntry extends FoundFile {
  readonly definition: Definition;
}

/** A file that is no workflow yet. */
export interface FaultyFile extends FoundFile {
  readonly faults: readonly Fault[];
}
