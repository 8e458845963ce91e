import { join } from 'node:path';
import { holdsAnything } from '@nexus/chat';
import { costLine, isToolError, nearestNames } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { redactText } from '@nexus/untrusted/secrets';
import { loadConfig } from '../loaded-config/load-config.ts';
import { shown } from '../terminal/shown.ts';
import { belowAnswer } from './below-answer.ts';
import { lineReader } from './line-reader.ts';
import { type OpenChat, type OpenChatOptions, openChat } from './open-chat.ts';
import { replCommands } from './repl-commands.ts';
import { turnView, unseenLines } from './show-turn.ts';
import { interruptedWords, spentWords } from './spent-words.ts';
import { terminalPerson } from './terminal-person.ts';

export interface ReplOptions
  extends Pick<OpenChatOptions, 'config' | 'commands' | 'model' | 'maxCostUsd' | 'resume'> {
  readonly saysYes: boolean;
}

const PROMPT = '> ';

/** A conversation on a terminal, until its user leaves. @returns the exit code */
export async function converseOnTerminal({ saysYes, ...options }: ReplOptions): Promise<number> {
  const { dataDir } = await loadConfig({ config: options.config });
  const lines = lineReader(join(dataDir, 'chat', 'input-history'));
  const write = (text: string) => void process.stdout.write(redactText(text));
  /** What is said beside an answer: that is fitted into the window as it comes. */
  const tell = (text: string) => write(shown(text, process.stdout));
  const person = terminalPerson(lines, tell);
  let turn: AbortController | undefined;
  let wantsToLeave = false;
  lines.onInterrupt(() => {
    if (turn) {
      turn.abort(new Error('you cancelled the turn'));
      return;
    }
    if (wantsToLeave) lines.close();
    else tell('\n(Ctrl-C again, or Ctrl-D, leaves)\n> ');
    wantsToLeave = true;
  });

  /** Says, does, or answers one input; the conversation survives whatever that comes to. */
  async function take(open: OpenChat, input: string): Promise<void> {
    const current = new AbortController();
    turn = current;
    const before = open.ledger.spent;
    const view = turnView(process.stdout, write);
    try {
      if (input.startsWith('/')) {
        tell(`${(await runCommand(open, input, current.signal)).join('\n')}\n`);
        return;
      }
      await open.servers.refresh(current.signal);
      const startedAt = performance.now();
      const { text, usage, calls, model, toolCalls, endedBy } = await open.chat.ask(input, {
        signal: current.signal,
        onEvent: view.show,
      });
      view.end();
      tell(belowAnswer({ text, toolCalls, missing: await open.notThere(text, current.signal) }));
      if (endedBy !== 'answer')
        tell(`[ended: ${endedBy === 'steps' ? 'the limit of steps' : 'the model repeated itself'}]\n`);
      const cost = costLine({ ...usage, calls }, performance.now() - startedAt);
      tell(`[${model}: ${cost}; ${spentWords(open.ledger.spent)} so far]\n`);
    } catch (error) {
      view.end();
      const hint =
        isToolError(error) && error.code === 'NEXUS_BUDGET_EXCEEDED'
          ? ' Raise it by /cap, then say it again.'
          : '';
      const unknown = interruptedWords(before, open.ledger.spent);
      tell(`[${error instanceof Error ? error.message : String(error)}${hint}${unknown}]\n`);
    } finally {
      turn = undefined;
      wantsToLeave = false;
    }
  }

  // A server that is started for the first time may take long.
  tell('Starting Nexus and the servers behind it …\n');
  try {
    await using open = await openChat({
      ...options,
      person,
      permit: async (use) =>
        saysYes ? 'once' : person.permit(use, turn?.signal ?? new AbortController().signal),
      missing: (what, reason) => tell(`${what} is left out: ${reason}\n`),
    });
    void open.taken.then(() => {
      const why = 'the state of this project is being taken away, as by `nexus uninstall`';
      tell(`\n[${why}: the chat ends]\n`);
      turn?.abort(new Error(why));
      lines.close();
    });
    await open.servers.refresh(new AbortController().signal);
    tell(
      `${counted(open.servers.tools().length, 'tool')} of ${open.servers.names.join(', ')}; conversation ${open.chat.session.id}; /help\n`,
    );
    for (const line of unseenLines(open.store.unseenCalls(open.chat.session))) tell(`${line}\n`);
    for (let input = await lines.read(PROMPT); input !== undefined; input = await lines.read(PROMPT)) {
      if (commandIn(input.trim())?.isEnd) break;
      if (input.trim() !== '') await take(open, input.trim());
    }
    // While it is seen to use the state still.
    lines.close();
    const { session } = open.chat;
    tell(
      holdsAnything(session) && !open.store.isLost(session)
        ? `\n\`nexus chat --resume ${session.id}\` goes on with it.\n`
        : '\n',
    );
    return 0;
  } finally {
    lines.close();
  }
}

function commandIn(input: string) {
  const [name = ''] = input.slice(1).split(' ');
  return input.startsWith('/') && Object.hasOwn(replCommands, name) ? replCommands[name] : undefined;
}

async function runCommand(open: OpenChat, input: string, signal: AbortSignal): Promise<string[]> {
  const [name = '', ...rest] = input.slice(1).split(' ');
  const command = commandIn(input);
  if (command) return command.run(open, rest.join(' ').trim(), signal);
  const [near] = nearestNames(name, Object.keys(replCommands), 1);
  return [`no command /${name}; ${near ? `did you mean /${near}? ` : ''}/help shows all`];
}
