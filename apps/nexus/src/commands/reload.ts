import { ask } from '../client/ask.ts';
import { fail, print } from '../terminal/output.ts';
import { type Command, configOption, text } from './command.ts';

export const reload: Command = {
  usage: 'reload',
  summary: 'have the running server read its config again; it does by itself where it can watch the file',
  options: [configOption],
  examples: ['reload'],
  async run(_args, options) {
    const answer = await ask('reload', text(options, 'config'));
    if (!answer) {
      process.stderr.write('no server runs for this project\n');
      return 3;
    }
    if (typeof answer.refused === 'string') return fail(`not taken over: ${answer.refused}`);
    const changed = Array.isArray(answer.changed) ? answer.changed.map(String) : [];
    return print([changed.length > 0 ? `Changed: ${changed.join(', ')}.` : 'Nothing has changed.']);
  },
};
