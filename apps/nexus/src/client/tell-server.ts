import { warn } from '../terminal/output.ts';
import { ask } from './ask.ts';

/** Has the project's running server, if there is one, look at the config again now. */
export async function tellServer(): Promise<void> {
  const answer = await ask('reload', undefined);
  if (typeof answer?.refused === 'string') {
    warn(`the running server did not take the config over: ${answer.refused}`);
  }
}
