import { ask } from '../client/ask.ts';
import { fail, print, say } from '../terminal/output.ts';
import { type Command, configOption, text } from './command.ts';

export const reload: Command = {
  usage: 'reload',
  summary: 'have the running server read its config again, where it can’t see a change by itself',
  options: [configOption],
  examples: ['reload'],
  async run(_args, options) {
    const answer = await ask('reload', text(options, 'config'));
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
