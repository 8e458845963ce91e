import { appendFileSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '@nexus/core';
import { type ModelMessage, ToolError } from '@nexus/plugin-sdk';
import type { ChatSession } from './chat-session.ts';

type State = Omit<ChatSession, 'messages'>;

/** One line of a session's file: what has changed since the line before. */
interface Line {
  readonly state: Partial<State>;
  /** How many messages of those before stay; the ones here follow. */
  readonly kept: number;
  readonly messages: readonly ModelMessage[];
}

/** What a file says by now. */
export interface Written {
  readonly state: Partial<State>;
  readonly messages: readonly ModelMessage[];
  /** Whether its last line is whole: a kill in the middle of one must not spoil the next. */
  readonly isWhole: boolean;
}

const NOTHING: Written = { state: {}, messages: [], isWhole: true };

/**
 * A session's file: a line a step, each the difference to the one before, so that what a turn writes does not grow
 * with the conversation. A line is the system's once it is written, and so outlives the process; at a turn's end
 * the disk is waited for.
 */
export interface SessionFile {
  /** Whether it was written, and is there no more. */
  isLost(): boolean;
  /** With the system when it returns. @throws {ToolError} NEXUS_NOT_FOUND where it is lost: a part of it is no session */
  note(session: ChatSession): void;
  /** Waits until the disk has all that was noted. @throws {ToolError} as `note` does */
  sync(): Promise<void>;
}

export function sessionFile(path: string, before: Written = NOTHING): SessionFile {
  let written = before;

  function nextLine({ messages, ...state }: ChatSession) {
    const kept = commonLength(written.messages, messages);
    const line = {
      state: changes(written.state, state),
      kept,
      messages: messages.slice(kept),
    } satisfies Line;
    const text = `${written.isWhole ? '' : '\n'}${JSON.stringify(line)}\n`;
    // Copied, since lists in it grow in place.
    const next = { state: structuredClone(state), messages: [...messages], isWhole: true };
    return { text, next };
  }

  return {
    isLost: () => written !== NOTHING && !existsSync(path),
    note(session) {
      if (written === NOTHING) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const { text, next } = nextLine(session);
      const flag = written === NOTHING ? 'a' : ADD_TO_IT;
      const file = opened(path, flag);
      try {
        appendFileSync(file, text);
      } finally {
        closeSync(file);
      }
      written = next;
    },
    async sync() {
      const handle = await open(path, 'r+').catch((error: unknown) => {
        throw orLost(error, path);
      });
      try {
        await handle.datasync();
      } finally {
        await handle.close();
      }
    },
  };
}

/** Where there is none, none is made. */
const ADD_TO_IT = constants.O_WRONLY | constants.O_APPEND;

function opened(path: string, flag: string | number): number {
  try {
    return openSync(path, flag, 0o600);
  } catch (error) {
    throw orLost(error, path);
  }
}

function orLost(error: unknown, path: string): unknown {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? lostFault(path) : error;
}

export function lostFault(path: string): ToolError {
  return new ToolError(
    'NEXUS_NOT_FOUND',
    `The file of this conversation is gone, as after \`nexus uninstall\`: ${path}. Nothing more can be kept in it; begin a new conversation.`,
  );
}

/** What the lines of a file come to; undefined for a text that is no session's. */
export function readWritten(text: string): Written | undefined {
  let { state, messages } = NOTHING;
  for (const each of text.split('\n')) {
    const line = lineOf(each);
    if (!line) continue;
    state = { ...state, ...line.state };
    messages = [...messages.slice(0, line.kept), ...line.messages];
  }
  return state.version === undefined ? undefined : { state, messages, isWhole: text.endsWith('\n') };
}

/** Undefined for half of one, which is what a kill may leave. */
function lineOf(text: string): Line | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return isRecord(line) && isRecord(line.state) && Array.isArray(line.messages)
      ? (line as unknown as Line)
      : undefined;
  } catch {
    return undefined;
  }
}

function commonLength(one: readonly ModelMessage[], other: readonly ModelMessage[]): number {
  const at = other.findIndex((message, index) => message !== one[index]);
  return at === -1 ? other.length : at;
}

/** What is another value now. Nothing of a session's is ever taken away. */
function changes(before: Partial<State>, now: State): Partial<State> {
  const keys = Object.keys({ ...before, ...now }) as (keyof State)[];
  return Object.fromEntries(
    keys.filter((key) => !isDeepStrictEqual(before[key], now[key])).map((key) => [key, now[key]]),
  );
}
