import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ChatSession, holdsAnything } from '@nexus/chat';
import { costLine } from '@nexus/plugin-sdk';
import { visibleStart } from '@nexus/untrusted/shown';
import { age } from '../terminal/age.ts';
import { definitionLines } from '../terminal/definition-lines.ts';
import { table } from '../terminal/table.ts';
import { chooseModel, modelsThere } from './choose-model.ts';
import type { OpenChat } from './open-chat.ts';
import { callLine, unseenLines } from './show-turn.ts';
import { spentWords } from './spent-words.ts';

interface ReplCommand {
  readonly usage: string;
  readonly summary: string;
  /** Whether the conversation on the terminal ends by it. */
  readonly isEnd?: boolean;
  run(open: OpenChat, argument: string, signal: AbortSignal): Promise<string[]>;
}

const quit: ReplCommand = {
  usage: '/quit or /exit',
  summary: 'leave, as Ctrl-D does; the conversation stays on disk',
  isEnd: true,
  run: async () => [],
};

/** What a line that begins with / does in a conversation. */
export const replCommands: Readonly<Record<string, ReplCommand>> = {
  help: {
    usage: '/help',
    summary: 'this list',
    run: async () => [
      ...definitionLines(
        [...new Set(Object.values(replCommands))].map(({ usage, summary }) => [usage, summary]),
      ),
      'A line that ends with \\ goes on in the next; """ begins and ends a text of several lines. Ctrl-C cancels a turn.',
    ],
  },
  tools: {
    usage: '/tools',
    summary: 'the tools that the model has',
    run: async ({ servers }) => {
      const rows = servers
        .tools()
        .map(({ name, server, isReadOnly, description }) => [
          name,
          server,
          isReadOnly ? 'reads' : 'asks first',
          description.split('\n', 1)[0] ?? '',
        ]);
      return table(['TOOL', 'SERVER', '', ''], rows);
    },
  },
  servers: {
    usage: '/servers',
    summary: 'the servers that are connected',
    run: async ({ servers }) => {
      const count = (name: string) => servers.tools().filter(({ server }) => server === name).length;
      return table(
        ['SERVER', 'TOOLS'],
        servers.names.map((name) => [name, String(count(name))]),
      );
    },
  },
  model: {
    usage: '/model [provider:name]',
    summary: 'the model that answers, or another one from here on',
    run: async ({ chat, models }, argument, signal) =>
      argument === ''
        ? modelsThere({ models, session: chat.session })
        : chooseModel(argument, { models, session: chat.session, signal }),
  },
  usage: {
    usage: '/usage',
    summary: 'what the conversation has cost',
    run: async ({ chat, ledger }) => {
      const { unknownCalls } = ledger.spent;
      const cap = ledger.cap.costUsd === undefined ? 'no cap' : `cap $${ledger.cap.costUsd}`;
      return [
        `${costLine({ ...chat.session.usage, unknownCalls })} in this conversation; ${spentWords(ledger.spent)} ${unknownCalls ? 'to be spent' : 'spent'} with summaries and servers, ${cap}`,
      ];
    },
  },
  cap: {
    usage: '/cap <dollars>',
    summary: 'how much a conversation may cost; a turn that would exceed it is not made',
    async run({ ledger }, argument) {
      const costUsd = Number(argument);
      if (argument === '' || !(costUsd >= 0)) return ['a cap is a number of dollars, such as /cap 0.50'];
      ledger.cap = { costUsd };
      return [`cap $${costUsd}`];
    },
  },
  save: {
    usage: '/save [title]',
    summary: 'give the conversation a title; it is on disk anyway',
    async run({ chat, store }, argument) {
      if (argument !== '') chat.session.title = argument;
      if (!holdsAnything(chat.session))
        return ['nothing is said yet: it is kept, with its title, once there is an answer'];
      store.save(chat.session);
      await store.settled();
      return [`saved as ${chat.session.id}`];
    },
  },
  resume: {
    usage: '/resume [id]',
    summary: 'the conversations there are, or go on with one',
    async run(open, argument) {
      if (argument === '') return sessionLines(await open.store.list());
      await open.switchTo(argument);
      const { session } = open.chat;
      return [
        ...transcript(session).slice(-12),
        `resumed ${session.id}`,
        ...unseenLines(open.store.unseenCalls(session)),
      ];
    },
  },
  export: {
    usage: '/export <file>',
    summary: 'write the conversation as Markdown',
    async run({ chat }, argument) {
      if (argument === '') return ['name a file: /export talk.md'];
      const file = resolve(argument);
      try {
        await writeFile(file, `${transcript(chat.session).join('\n')}\n`, { flag: 'wx' });
      } catch (error) {
        return [`nothing was written to ${file}: ${whyNot(error)}. Name another file`];
      }
      return [`written to ${file}`];
    },
  },
  clear: {
    usage: '/clear',
    summary: 'begin a new conversation; the old one stays on disk',
    async run(open) {
      await open.switchTo(undefined);
      return [`new conversation ${open.chat.session.id}`];
    },
  },
  quit,
  exit: quit,
};

const WHY_NOT: Readonly<Record<string, string>> = {
  EEXIST: 'it is there already, and is left as it is',
  ENOENT: 'its folder is not there',
  ENOTDIR: 'what should be its folder is a file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not write there',
  EROFS: 'nothing can be written there',
};

function whyNot(error: unknown): string {
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException; // of the file system
  return WHY_NOT[code] ?? message;
}

export function sessionLines(sessions: Awaited<ReturnType<OpenChat['store']['list']>>): string[] {
  if (sessions.length === 0) return ['No conversations yet.'];
  return table(
    ['CONVERSATION', 'AGE', 'EXCHANGES', 'FIRST WORDS'],
    sessions.map(({ id, updatedAt, exchanges, firstWords }) => [
      id,
      age(updatedAt),
      String(exchanges),
      firstWords,
    ]),
  );
}

function transcript({ messages }: ChatSession): string[] {
  return messages.flatMap(({ role, content }) =>
    content.flatMap((block) => {
      if (block.type === 'text')
        return [role === 'user' ? `\n> ${block.text.replaceAll('\n', '\n> ')}\n` : block.text];
      if (block.type === 'tool_use') return [callLine(block.name, block.input)];
      return block.type === 'tool_result' && block.isError
        ? [`[failed: ${visibleStart(JSON.stringify(block.content), 200)}]`]
        : [];
    }),
  );
}
