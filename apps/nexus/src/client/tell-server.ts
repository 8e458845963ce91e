import { ask } from './ask.ts';

/** Has the project's running server, if there is one, look at the config again now. */
export async function tellServer(): Promise<void> {
  const answer = await ask('reload', undefined);
  if (typeof answer?.refused === 'string') {
    process.stderr.write(`nexus: the running server did not take it over: ${answer.refused}\n`);
  }
}
