import { boot } from '../boot/boot.ts';
import { loadConfig } from '../config/load-config.ts';
import { createLog } from '../log.ts';
import { answerRuns, type RunsRequest } from '../server/answer-runs.ts';
import { ask } from './ask.ts';

/**
 * Asks the project's running server, or the record itself where none runs.
 * @throws {Error} with the server's own words
 */
export async function askRuns<Answered>(request: RunsRequest, config: string | undefined): Promise<Answered> {
  const answered = await ask('runs', config, { request: JSON.stringify(request) });
  if (answered) {
    if (typeof answered.refused === 'string') throw new Error(answered.refused);
    return answered as Answered; // what `answerRuns` made there
  }
  const nexus = await boot(await loadConfig({ config }), createLog('error'));
  try {
    return (await answerRuns(nexus.engine.runs, request)) as Answered;
  } finally {
    await nexus.stop();
  }
}
