import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ModelMessage, NO_USAGE, ToolError, type ToolUse } from '@nexus/plugin-sdk';
import { ID_SORTS, idMeant } from '@nexus/primitives';
import { closeTurn, unseenCalls } from '../history/close-turn.ts';
import { turnGroups } from '../history/turn-groups.ts';
import { type ChatSession, holdsAnything, type SessionOutline } from './chat-session.ts';
import { lostFault, readWritten, type SessionFile, sessionFile } from './session-file.ts';

const FIRST_WORDS_CHARS = 60;

/** Conversations in a folder, a file each, readable by their user alone. */
export interface SessionStore {
  begin(): ChatSession;
  /**
   * The session as it stands after a turn: the system's when it returns, so that it outlives the process, and on its
   * way to the disk. One that holds nothing is not kept.
   */
  save(session: ChatSession): void;
  /** Whether its file was written, and is there no more: nothing that is said from then on is kept. */
  isLost(session: ChatSession): boolean;
  /** @throws {ToolError} NEXUS_NOT_FOUND where its file is lost */
  requireFile(session: ChatSession): void;
  /** Until the disk has all that was saved. @throws what it could not take */
  settled(): Promise<void>;
  /**
   * What has been said and spent of a turn that goes on: a killed process leaves it, a machine without power may not.
   */
  note(session: ChatSession, messages: readonly ModelMessage[]): void;
  /**
   * By id, or the beginning of one; without one the newest.
   * @throws {ToolError} NEXUS_NOT_FOUND
   */
  load(id?: string): Promise<ChatSession>;
  /** The calls of a session that was loaded, made by a process which was killed before it saw their end. */
  unseenCalls(session: ChatSession): readonly ToolUse[];
  /** Newest first. */
  list(): Promise<SessionOutline[]>;
  /** Keeps the whole of a result that was too long. @returns where */
  keep(session: ChatSession, name: string, text: string): Promise<string>;
}

export function sessionStore(folder: string, now: () => Date = () => new Date()): SessionStore {
  const files = new WeakMap<ChatSession, SessionFile>();
  const unseen = new WeakMap<ChatSession, readonly ToolUse[]>();
  let syncing: Promise<unknown> = Promise.resolve();
  const pathOf = (id: string) => join(folder, `${id}.jsonl`);

  function fileOf(session: ChatSession): SessionFile {
    const file = files.get(session) ?? sessionFile(pathOf(session.id));
    files.set(session, file);
    return file;
  }

  const isLost = (session: ChatSession) => files.get(session)?.isLost() === true;

  async function ids(): Promise<string[]> {
    const names = await readdir(folder).catch(() => []);
    return [...new Set(names.flatMap((name) => /^([\w-]+)\.jsonl?$/.exec(name)?.[1] ?? []))].sort().reverse();
  }

  /** Undefined for a file that is no session, such as one that another version wrote. */
  async function read(id: string): Promise<ChatSession | undefined> {
    const text = await readFile(pathOf(id), 'utf8').catch(() => undefined);
    if (text === undefined) return readOld(id);
    const written = readWritten(text);
    if (written?.state.version !== 1) return undefined;
    const { state, messages } = written;
    const session = { ...(state as ChatSession), messages: [...messages] };
    files.set(session, sessionFile(pathOf(id), written));
    if (state.isInTurn) {
      session.messages = closeTurn(messages, 'Nexus was ended in the middle of it', state.calls);
      unseen.set(session, unseenCalls(messages, state.calls));
    }
    session.isInTurn = false;
    return session;
  }

  /** As the version before wrote them, whole; what is said next goes to a file of today's. */
  async function readOld(id: string): Promise<ChatSession | undefined> {
    try {
      const session = JSON.parse(await readFile(join(folder, `${id}.json`), 'utf8')) as ChatSession;
      return session.version === 1 && Array.isArray(session.messages) ? session : undefined;
    } catch {
      return undefined;
    }
  }

  async function all(): Promise<ChatSession[]> {
    const sessions = await Promise.all((await ids()).map(read));
    return sessions
      .filter((session) => session !== undefined)
      .filter(holdsAnything)
      .sort((one, other) => other.updatedAt.localeCompare(one.updatedAt));
  }

  return {
    begin() {
      const startedAt = now().toISOString();
      const id = `${startedAt.slice(0, 19).replace(/[-:T]/g, '')}-${randomBytes(3).toString('hex')}`;
      return { version: 1, id, startedAt, updatedAt: startedAt, messages: [], usage: NO_USAGE, allowed: [] };
    },
    save(session) {
      if (!holdsAnything(session) && !files.has(session)) return;
      session.updatedAt = now().toISOString();
      session.isInTurn = false;
      const file = fileOf(session);
      file.note(session);
      // Nobody may wait for it; who does hears of it.
      syncing = Promise.all([syncing, file.sync()]);
      syncing.catch(() => {});
    },
    isLost,
    requireFile(session) {
      if (isLost(session)) throw lostFault(pathOf(session.id));
    },
    async settled() {
      const before = syncing;
      syncing = Promise.resolve();
      await before;
    },
    note(session, messages) {
      const updatedAt = now().toISOString();
      fileOf(session).note({ ...session, updatedAt, isInTurn: true, messages: [...messages] });
    },
    async load(id) {
      const known = await all();
      if (id === undefined) {
        const [newest] = known;
        if (newest) return newest;
        const text = 'There is no conversation to continue. `nexus chat --list` shows them.';
        throw new ToolError('NEXUS_NOT_FOUND', text);
      }
      const meant = idMeant(
        id,
        known.map((each) => each.id),
        ID_SORTS.conversation,
      );
      if ('fault' in meant) {
        const code = meant.why === 'several' ? 'NEXUS_CONFLICT' : 'NEXUS_NOT_FOUND';
        throw new ToolError(code, meant.fault);
      }
      const found = known.find((each) => each.id === meant.id);
      if (!found) throw new Error(`no conversation ${meant.id}`); // it is one of them
      return found;
    },
    unseenCalls: (session) => unseen.get(session) ?? [],
    async list() {
      return (await all()).map(({ id, updatedAt, messages, title }) => {
        const groups = turnGroups(messages);
        const said =
          groups[0]?.[0]?.content.map((block) => (block.type === 'text' ? block.text : '')).join(' ') ?? '';
        const words = said.replace(/\s+/g, ' ').trim().slice(0, FIRST_WORDS_CHARS);
        return { id, updatedAt, exchanges: groups.length, firstWords: title ?? words };
      });
    },
    async keep({ id }, name, text) {
      const place = join(folder, 'results', id);
      const file = join(
        place,
        `${name.replace(/[^\w-]/g, '_').slice(0, 80)}-${randomBytes(3).toString('hex')}.txt`,
      );
      await writeWhole(file, place, text);
      return file;
    },
  };
}

/** Beside it first, so that the file is the old one or the new one and nothing between. */
async function writeWhole(file: string, folder: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.tmp`;
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file).catch(async (error: unknown) => {
    await rm(draft, { force: true });
    throw error;
  });
}
