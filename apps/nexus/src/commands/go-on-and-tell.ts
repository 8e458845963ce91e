import { ANSWER_MS, endsWithin } from '@nexus/core';
import type { RunDetail, ToolCallResult } from '@nexus/plugin-sdk';
import { ID_SORTS } from '@nexus/primitives';
import { connectToNexus } from '../client/connect-to-nexus.ts';
import { askAndGoOn, askRuns, type Told } from '../runs/ask-runs.ts';
import type { RunsRequest } from '../server/answer-runs.ts';
import { say } from '../terminal/output.ts';
import { endLines } from '../terminal/run-end.ts';
import { answerOfJob } from './answer-of-job.ts';
import { printToolAnswer } from './print-tool-answer.ts';

/** As {@link askAndGoOn}, and for a person what a run came to that came to its end here, and what it cost. */
export async function goOnAndTell<Answered>(
  request: RunsRequest,
  how: Told,
  told: (answered: Answered) => string,
): Promise<number> {
  const done: string[] = [];
  const code = await askAndGoOn<Answered>(request, { ...how, onCompleted: (id) => done.push(id) }, told);
  if (how.isJson) return code;
  for (const id of done) {
    await printAnswerOf(id, how.config);
    const run = await askRuns<RunDetail>({ what: 'show', id }, how.config);
    for (const line of endLines(run)) say(line);
  }
  return code;
}

/** As its tool answers it; nothing of a run that is no tool's. */
async function printAnswerOf(runId: string, config: string | undefined): Promise<void> {
  await using connection = await connectToNexus({ config });
  if (runId.startsWith(ID_SORTS.job.begins)) {
    printToolAnswer(await answerOfJob(connection, runId));
    return;
  }
  const call = { name: 'resume_run', arguments: { runId } };
  const signal = endsWithin(ANSWER_MS);
  const result = (await connection.request('tools/call', call, { signal })) as unknown as ToolCallResult; // our own server's
  if (!result.isError) printToolAnswer(result);
}
