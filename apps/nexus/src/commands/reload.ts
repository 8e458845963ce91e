import { ask, olderLine, olderServers } from '../client/ask.ts';
import { fail, print, say, warn } from '../terminal/output.ts';
import { type Command, configOption, text } from './command.ts';

export const reload: Command = {
  usage: 'reload',
  summary: 'have the running server read its config again, where it can’t see a change by itself',
  options: [configOption],
  examples: ['reload'],
  async run(_args, options) {
    const config = text(options, 'config');
    const answer = await ask('reload', config);
    for (const each of await olderServers(config)) warn(olderLine(each));
    if (!answer) {
      say('No server runs for this project.');
      return 3;
    }
    if (typeof answer.refused === 'string')
      return fail(`the running server did not take the config over: ${answer.refused}`);
    const changed = Array.isArray(answer.changed) ? answer.changed.map(String) : [];
    return print([changed.length > 0 ? `Changed: ${changed.join(', ')}.` : 'Nothing has changed.']);
  },
};
