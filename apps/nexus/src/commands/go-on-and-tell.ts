import { ANSWER_MS, endsWithin } from '@nexus/core';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import { connectToNexus } from '../client/connect-to-nexus.ts';
import { askAndGoOn, type Told } from '../runs/ask-runs.ts';
import type { RunsRequest } from '../server/answer-runs.ts';
import { printToolAnswer } from './print-tool-answer.ts';

/** As {@link askAndGoOn}, and for a person what a run came to that came to its end here. */
export async function goOnAndTell<Answered>(
  request: RunsRequest,
  how: Told,
  told: (answered: Answered) => string,
): Promise<number> {
  const done: string[] = [];
  const code = await askAndGoOn<Answered>(request, { ...how, onCompleted: (id) => done.push(id) }, told);
  if (!how.isJson) for (const id of done) await printAnswerOf(id, how.config);
  return code;
}

/** As its tool answers it; nothing of a run that is no tool's. */
async function printAnswerOf(runId: string, config: string | undefined): Promise<void> {
  await using connection = await connectToNexus({ config });
  const call = { name: 'resume_run', arguments: { runId } };
  const signal = endsWithin(ANSWER_MS);
  const result = (await connection.request('tools/call', call, { signal })) as unknown as ToolCallResult; // our own server's
  if (!result.isError) printToolAnswer(result);
}
