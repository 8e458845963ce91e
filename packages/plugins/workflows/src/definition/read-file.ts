import { isRecord } from '../expressions/values.ts';
import { hintOf } from '../nearest.ts';
import { checkFile } from './check-file.ts';
import { type Fault, type Place, sortFaults } from './fault.ts';
import { type Definition, graphFile, workflowFile } from './file-schema.ts';
import { shapeFaults } from './shape-faults.ts';
import { Source } from './source.ts';

/** What a workflow file says; plain data, since it crosses from a thread. */
export interface ReadFile {
  /** Where nothing is wrong with it. */
  readonly definition?: Definition;
  readonly faults: readonly Fault[];
  /** Of steps and nodes: where their parts stand, for what is found wrong later. */
  readonly places: Readonly<Record<string, Place>>;
}

/** Reads a workflow file and finds all that can be wrong with it by itself. */
export function readFile(text: string): ReadFile {
  const source = new Source(text);
  if (source.faults.length > 0) return { faults: sortFaults(source.faults), places: {} };
  const { value } = source;
  if (!isRecord(value)) {
    return { faults: [source.fault([], 'holds no workflow: name, description and steps')], places: {} };
  }
  if (value.steps === undefined && value.nodes === undefined) {
    const hint = hintOf(Object.keys(value).find((key) => hintOf(key, ['steps', 'nodes']).includes('mean')) ?? '', ['steps', 'nodes']);
    return { faults: [source.fault([], `has neither steps nor nodes${hint}`)], places: {} };
  }
  const kind = value.nodes === undefined ? 'workflow' : 'graph';
  const schema = kind === 'workflow' ? workflowFile : graphFile;
  const parsed = schema.safeParse(value);
  const faults = [
    ...(parsed.success ? [] : shapeFaults(parsed.error, { source, schema })),
    ...checkFile(source),
  ];
  if (faults.length > 0 || !parsed.success) return { faults: sortFaults(faults), places: {} };
  return {
    definition: { kind, ...parsed.data } as Definition, // by the schema of its kind
    faults: [],
    places: placesOf(source, kind === 'workflow' ? 'steps' : 'nodes'),
  };
}

function placesOf(source: Source, list: 'steps' | 'nodes'): Record<string, Place> {
  const each = (source.value as Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>)[list] ?? [];
  const paths = each.flatMap((work, index) => [
    [list, index, 'uses'],
    ...(isRecord(work.with) ? Object.keys(work.with).map((key) => [list, index, 'with', key]) : []),
  ]);
  return Object.fromEntries(paths.map((path) => [path.join('.'), source.placeOf(path)]));
}
