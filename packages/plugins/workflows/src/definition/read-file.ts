import { nearestNames } from '@nexus/plugin-sdk';
import { isRecord } from '../expressions/values.ts';
import { checkFile } from './check-file.ts';
import { type Fault, sortFaults } from './fault.ts';
import { type Definition, graphFile, workflowFile } from './file-schema.ts';
import { type PlacedWork, placedWork } from './placed-work.ts';
import { shapeFaults } from './shape-faults.ts';
import { Source } from './source.ts';

/** What a workflow file says; plain data, since it crosses from a thread. */
export interface ReadFile {
  /** Where nothing is wrong with it. */
  readonly definition?: Definition;
  readonly faults: readonly Fault[];
  readonly work: readonly PlacedWork[];
}

/** Reads a workflow file and finds all that can be wrong with it by itself. */
export function readFile(text: string): ReadFile {
  const source = new Source(text);
  const { value, faults: unreadable } = source;
  if (unreadable.length > 0) return { faults: sortFaults(unreadable), work: [] };
  if (!isRecord(value)) {
    return { faults: [source.fault([], 'holds no workflow: name, description and steps')], work: [] };
  }
  if (value.steps === undefined && value.nodes === undefined) {
    return { faults: [neitherFault(source, Object.keys(value))], work: [] };
  }
  const kind = value.nodes === undefined ? 'workflow' : 'graph';
  const schema = kind === 'workflow' ? workflowFile : graphFile;
  const parsed = schema.safeParse(value);
  const ofShape = parsed.success ? [] : shapeFaults(parsed.error, { source, schema });
  const faults = sortFaults([...ofShape, ...checkFile(source)]);
  const work = placedWork(source);
  if (faults.length > 0 || !parsed.success) return { faults, work };
  return { definition: { kind, ...parsed.data } as Definition, faults, work }; // by the schema of its kind
}

function neitherFault(source: Source, keys: readonly string[]): Fault {
  const meant = keys.find((key) => nearestNames(key, ['steps', 'nodes']).length > 0);
  if (meant === undefined) return source.fault([], 'has neither steps nor nodes');
  const [near] = nearestNames(meant, ['steps', 'nodes']);
  return source.keyFault([], meant, `has neither steps nor nodes; did you mean ${near}?`);
}
