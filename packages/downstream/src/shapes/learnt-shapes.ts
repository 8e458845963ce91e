import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Members } from '@nexus/core/json-rpc';
import type { CataloguedTool, Log, ToolCallResult } from '@nexus/plugin-sdk';
import { wholeOf } from '@nexus/primitives';
import pLimit from 'p-limit';
import { pinHash } from '../pins/pinned-fields.ts';
import type { OpenDatabase } from '../store/database.ts';
import { merged, type ResultShape, schemaOf, shapeIn, shapeOf } from './result-shape.ts';

/** Results of one tool that are looked at in this process: more hardly say anything new. */
const MAX_RESULTS = 32;
/** Tools whose shapes are in memory; of others they are on record. */
const MAX_TOOLS = 500;
/** Reading a longer text would take a thread for longer than it is worth. */
const MAX_CHARS = 4 * 1024 * 1024;
/** On record: whoever has the server's own rights. No issuer has a user of this name. */
const OWN_USER = '';

/** Whose results are looked at: a tool as the catalogue has it. */
export type ShapedTool = Pick<CataloguedTool, 'toolbox' | 'server' | 'tool' | 'definition'>;

/**
 * What results of tools without an output schema look like, learnt from those that came: kinds and names. A name may
 * be a value after all, so what is learnt is told to the user alone whose results they were.
 */
export interface LearntShapes {
  /** Looks at a result once it has been answered to `user`, who is absent for the server's own user. */
  learn(tool: ShapedTool, result: ToolCallResult, user: string | undefined): void;
  /** A JSON Schema for each of the tools, undefined where this user's results taught none. */
  of(tools: readonly CataloguedTool[], user: string | undefined): Promise<readonly (Members | undefined)[]>;
  /** Resolves when all that was learnt is on record. */
  stop(): Promise<void>;
}

interface Learnt {
  readonly tool: ShapedTool;
  readonly user: string;
  readonly hash: string;
  shape: ResultShape | undefined;
  results: number;
  /** As it is on record; undefined before that was read, and where there is none. */
  recorded: string | undefined;
  isRead: boolean;
}

export function createLearntShapes(open: OpenDatabase, log: Log): LearntShapes {
  const learnt = new Map<string, Learnt>();
  const hashes = new WeakMap<object, string>();
  /** One after the other: a row is read before it is written. */
  const inTurn = pLimit(1);
  let isStopped = false;

  function hashOf(definition: ShapedTool['definition']): string {
    const known = hashes.get(definition) ?? pinHash(definition);
    hashes.set(definition, known);
    return known;
  }

  function entryOf(tool: ShapedTool, user = OWN_USER): Learnt {
    const key = JSON.stringify([user, tool.toolbox, tool.server, tool.tool]);
    const hash = hashOf(tool.definition);
    const found = learnt.get(key);
    if (found?.hash === hash) return found;
    const entry = { tool, user, hash, shape: undefined, results: 0, recorded: undefined, isRead: false };
    learnt.delete(key);
    learnt.set(key, entry);
    for (const oldest of [...learnt.keys()].slice(0, -MAX_TOOLS)) learnt.delete(oldest);
    return entry;
  }

  /** What is on record of tools of one server, of one user. */
  async function read(entries: readonly Learnt[]): Promise<void> {
    const [first] = entries;
    if (!first) return;
    const db = await open.toRead();
    const { toolbox, server } = first.tool;
    let query = db
      .selectFrom('toolboxes_shapes')
      .select(['tool', 'definition_hash', 'shape'])
      .where('user_id', '=', first.user)
      .where('toolbox', '=', toolbox)
      .where('server', '=', server);
    if (entries.length === 1) query = query.where('tool', '=', first.tool.tool);
    const rows = new Map((await query.execute()).map((row) => [row.tool, row]));
    for (const entry of entries) {
      const row = rows.get(entry.tool.tool);
      if (row?.definition_hash === entry.hash) {
        const before = shapeIn(JSON.parse(row.shape));
        entry.shape = entry.shape ? merged(before, entry.shape) : before;
        entry.recorded = row.shape;
      }
      entry.isRead = true;
    }
  }

  /** Brings to memory what is on record. */
  async function load(entries: readonly Learnt[]): Promise<void> {
    const unread = entries.filter(({ isRead }) => !isRead);
    const servers = new Map<string, Learnt[]>();
    for (const entry of unread) {
      const key = JSON.stringify([entry.user, entry.tool.toolbox, entry.tool.server]);
      servers.set(key, [...(servers.get(key) ?? []), entry]);
    }
    for (const each of servers.values()) await read(each);
  }

  async function put(entry: Learnt): Promise<void> {
    await load([entry]);
    const schema = shownOf(entry);
    const shape = schema && JSON.stringify(schema);
    if (shape === undefined || shape === entry.recorded) return;
    const { toolbox, server, tool } = entry.tool;
    const row = { definition_hash: entry.hash, shape, learnt_at: open.now };
    const db = await open();
    await db
      .insertInto('toolboxes_shapes')
      .values({ user_id: entry.user, toolbox, server, tool, ...row })
      .onConflict((conflict) => conflict.columns(['user_id', 'toolbox', 'server', 'tool']).doUpdateSet(row))
      .execute();
    entry.recorded = shape;
  }

  function look(entry: Learnt, result: ToolCallResult): void {
    if (isTooLong(result)) return;
    const whole = wholeOf(result);
    if (whole === undefined) return;
    const shape = shapeOf(whole);
    entry.shape = entry.shape ? merged(entry.shape, shape) : shape;
    inTurn(() => put(entry)).catch((error: unknown) => {
      log.warn('what a result looks like could not be put on record', { ...addressOf(entry), err: error });
    });
  }

  return {
    learn(tool, result, user) {
      if (isStopped || result.isError === true) return;
      const entry = entryOf(tool, user);
      if (entry.results >= MAX_RESULTS) return;
      entry.results += 1;
      // Whoever called has the answer first.
      setImmediate(() => {
        if (!isStopped) look(entry, result);
      });
    },
    async of(tools, user) {
      const wanted = tools.map((tool) => entryOf(tool, user));
      // Out of turn, since what is written waits for who writes: what is read twice comes to the same.
      await load(wanted);
      return wanted.map(shownOf);
    },
    async stop() {
      // What was answered last is looked at in the turn after its answer.
      await nextTurn();
      isStopped = true;
      await inTurn(async () => {});
    },
  };
}

function addressOf({ tool: { toolbox, server, tool } }: Learnt) {
  return { toolbox, server, tool };
}

/** Only what says more than that there was something. */
function shownOf({ shape }: Learnt): Members | undefined {
  const schema = shape && schemaOf(shape);
  return schema && Object.keys(schema).length > (schema.type === 'object' || schema.type === 'array' ? 1 : 0)
    ? schema
    : undefined;
}

function isTooLong({ content, structuredContent }: ToolCallResult): boolean {
  if (structuredContent !== undefined || !Array.isArray(content)) return false;
  return content.some((block) => String(block?.text ?? '').length > MAX_CHARS);
}
