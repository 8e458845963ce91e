import type { Run } from '@nexus/plugin-sdk';
import { written } from '../terminal/output.ts';
import { askRuns } from './ask-runs.ts';

/**
 * Keeps that a person was shown what runs came to, once that has left this process: a command that is ended before has
 * told nobody, and who asks next is told.
 */
export async function keepTold(
  shown: readonly Pick<Run, 'id' | 'status'>[],
  config: string | undefined,
): Promise<void> {
  // Of all others there is nothing that must be told first.
  const ids = shown.filter(({ status }) => status === 'failed').map(({ id }) => id);
  if (ids.length > 0 && (await written())) await askRuns({ what: 'told', ids }, config);
}
