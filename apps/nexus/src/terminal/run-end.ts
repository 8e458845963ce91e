import { costLine, type RunDetail, type ToolCallResult, withoutRunText } from '@nexus/plugin-sdk';
import { shownId } from './short-id.ts';

/** What all of a run came to and cost, and what a person may type to see it, or to go on with it. */
export function endLines(
  run: Pick<RunDetail, 'id' | 'status' | 'usage' | 'budget' | 'createdAt' | 'endedAt' | 'updatedAt'>,
): string[] {
  const { id, status, usage, createdAt, endedAt, updatedAt } = run;
  const spent = costLine(usage, Date.parse(endedAt ?? updatedAt) - Date.parse(createdAt));
  const onward = wayOn(run);
  return [
    '',
    `${status}: ${spent}; \`nexus runs ${shownId(id)}\` shows how it came about${onward === undefined ? '' : `, \`${onward}\` goes on with it`}.`,
  ];
}

/** What is over is run again from where it stood; what has paused at its cap needs a higher one. */
function wayOn({
  id,
  status,
  budget: { cap },
}: Pick<RunDetail, 'id' | 'status' | 'budget'>): string | undefined {
  if (status === 'failed' || status === 'cancelled') return `nexus runs rerun ${shownId(id)}`;
  if (status !== 'paused') return undefined;
  const usd = cap?.costUsd === undefined ? '' : ' --usd <amount>';
  const tokens = cap?.tokens === undefined ? '' : ' --tokens <count>';
  return `nexus runs resume ${shownId(id)}${usd}${tokens}`;
}

/** Of a failed one without what its run says to a model of how it is gone on with: a person is told what to type. */
export function withoutWayOn(result: ToolCallResult): ToolCallResult {
  if (!result.isError) return result;
  const content = result.content.map((block) =>
    block.text === undefined ? block : { ...block, text: withoutRunText(block.text) },
  );
  return { ...result, content };
}
