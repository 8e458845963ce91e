import { text as readAll } from 'node:stream/consumers';
import { loadConfig } from '../loaded-config/load-config.ts';
import { fail, print } from '../terminal/output.ts';
import { type Command, configOption, jsonOption, text, texts } from './command.ts';

export const chat: Command = {
  usage: 'chat [question]',
  summary: 'talk with a language model that uses the tools of Nexus and of other servers',
  needsTrust: true,
  options: [
    {
      flags: '--server <command>',
      description: 'a server beside Nexus: its command line or URL; may be given again',
      isRepeated: true,
    },
    {
      flags: '--model <model>',
      description: 'provider:name, or a provider (default: the first that `nexus models` shows)',
    },
    { flags: '--yes', description: 'call tools that change something without asking' },
    {
      flags: '--max-cost <dollars>',
      description: 'what the conversation may cost in all; a turn that would cost more is not begun',
    },
    { flags: '--continue', description: 'go on with the newest conversation' },
    { flags: '--resume <id>', description: 'go on with this conversation' },
    { flags: '--list', description: 'show the conversations, with their first words' },
    jsonOption,
    configOption,
  ],
  examples: [
    'chat',
    'chat "Which of our functions are never called?"',
    'chat --server "npx -y @modelcontextprotocol/server-memory" --model anthropic',
    'chat --continue "And in the tests?" --json',
  ],
  async run([question], options) {
    const config = text(options, 'config');
    if (options.list === true) return list(config, options.json === true);
    const maxCost = text(options, 'maxCost');
    const maxCostUsd = maxCost === undefined ? undefined : Number(maxCost);
    if (maxCostUsd !== undefined && !(maxCostUsd >= 0))
      return fail(`--max-cost must be a number of dollars; found "${maxCost}"`);
    const given = {
      config,
      commands: texts(options, 'server'),
      model: text(options, 'model'),
      maxCostUsd,
      resume: text(options, 'resume') ?? (options.continue === true ? (true as const) : undefined),
      saysYes: options.yes === true,
    };
    const asked =
      question === undefined && !process.stdin.isTTY ? (await readAll(process.stdin)).trim() : question;
    if (asked !== undefined) {
      if (String(asked).trim() === '')
        return fail('there is no question: give one as an argument, or on standard input');
      const { askOnce } = await import('../chat/one-shot.ts');
      return askOnce({ ...given, question: String(asked), isJson: options.json === true });
    }
    if (options.json === true || !process.stdout.isTTY)
      return fail('without a terminal, give a question: nexus chat "…"');
    const { converseOnTerminal } = await import('../chat/repl.ts');
    return converseOnTerminal(given);
  },
};

async function list(config: string | undefined, isJson: boolean): Promise<number> {
  const [{ conversations }, { sessionLines }] = await Promise.all([
    import('../chat/open-chat.ts'),
    import('../chat/repl-commands.ts'),
  ]);
  const sessions = await conversations(await loadConfig({ config })).list();
  return print(isJson ? [JSON.stringify(sessions, null, 2)] : sessionLines(sessions));
}
