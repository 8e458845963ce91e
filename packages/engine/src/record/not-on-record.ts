import { ToolError } from '@nexus/plugin-sdk';
import { ID_SORTS, otherSort } from '@nexus/primitives';
import { isJobId } from './job-kind.ts';

/** What whoever asks for a run, or a job, by an id that has no row is told. */
export function notOnRecord(id: string, sort: 'run' | 'job' = isJobId(id) ? 'job' : 'run'): ToolError {
  const { one, gone, list } = ID_SORTS[sort];
  const lists = sort === 'job' ? `list_jobs and \`${list}\` list them.` : `\`${list}\` lists them.`;
  return new ToolError(
    'NEXUS_NOT_FOUND',
    otherSort(id, ID_SORTS[sort]) ?? `No ${one} ${id}: ${gone}. ${lists}`,
  );
}
