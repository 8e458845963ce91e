import type { Connection } from '@nexus/client';
import { endsWithin, exampleArguments, isLate } from '@nexus/core';
import type { Log } from '@nexus/plugin-sdk';
import { withServerByCommand } from '../client/by-command.ts';
import { changedIn, commandAnywhere, type ThrowAwayPlace, throwAwayPlace } from './throw-away-place.ts';
import { watchSockets } from './watch-sockets.ts';

export interface ProvenTool {
  readonly tool: string;
  /** `kept`: nothing was seen against its word; `failed`: its call failed, so little could be seen. */
  readonly outcome: 'kept' | 'lied' | 'failed' | 'not_called';
  /** The words that it did not keep, each with what was seen; or why it was not called, or failed. */
  readonly why: readonly string[];
}

export interface ProveHintsOptions {
  /** Program and arguments, as a host's config has them; `{project}` is the throw-away project. */
  readonly command: readonly string[];
  /** For each tool, the arguments of the calls to make; without them, what its schema gives as an example. */
  readonly calls: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  /** For the start, and for each call, in milliseconds. */
  readonly timeoutMs: number;
  readonly inherits: readonly string[];
  readonly log: Log;
  onTool?(tool: ProvenTool): void;
}

export interface ProvenServer {
  readonly tools: readonly ProvenTool[];
  /** Whether it was seen to whom the server connected. */
  readonly sawConnections: boolean;
}

interface Hints {
  readonly readOnlyHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

interface Listed {
  readonly name: string;
  readonly hints: Hints;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/**
 * Starts a server in a throw-away project with a home of its own, calls its tools, and holds each to its hints (MCP
 * 2025-11-25, ToolAnnotations): one that only reads leaves every file there as it was, an idempotent one changes nothing
 * when it is called again, and one of a closed world connects to nobody but this machine.
 * @throws {Error} where it can't be started or does not answer
 */
export async function proveHints(options: ProveHintsOptions): Promise<ProvenServer> {
  const { timeoutMs, inherits, log } = options;
  using place = throwAwayPlace();
  const start = {
    command: commandAnywhere(options.command, place.project),
    ...{ clientName: 'nexus-governance', folder: place.project, env: place.env },
    ...{ inherits, log, timeoutMs, signal: endsWithin(timeoutMs) },
  };
  return await withServerByCommand(start, async (connection) => {
    const listed = (await connection.list('tools/list', 'tools', { signal: endsWithin(timeoutMs) })).flatMap(
      readTool,
    );
    const tools: ProvenTool[] = [];
    for (const tool of listed) {
      const proven = await proveTool(tool, { connection, place, options });
      options.onTool?.(proven);
      tools.push(proven);
    }
    const sawConnections = connection.pid !== undefined && process.platform === 'linux';
    return { tools, sawConnections };
  });
}

interface Proving {
  readonly connection: Connection;
  readonly place: ThrowAwayPlace;
  readonly options: ProveHintsOptions;
}

async function proveTool(tool: Listed, { connection, place, options }: Proving): Promise<ProvenTool> {
  const { name, hints, inputSchema } = tool;
  const given = Object.hasOwn(options.calls, name) ? options.calls[name] : undefined;
  const reason = given ? undefined : whyNotCalled(hints);
  if (reason !== undefined) return { tool: name, outcome: 'not_called', why: [reason] };
  const lies: string[] = [];
  let failure: string | undefined;
  for (const args of given ?? [exampleArguments(inputSchema)]) {
    const first = await look({ connection, place, options }, name, args);
    failure ??= first.failure;
    if (!hints.openWorldHint) lies.push(...first.remotes.map((to) => `openWorldHint: it connected to ${to}`));
    if (hints.readOnlyHint) lies.push(...first.changed.map((what) => `readOnlyHint: it changed ${what}`));
    else if (hints.idempotentHint && first.failure === undefined) {
      const again = await look({ connection, place, options }, name, args);
      lies.push(...again.changed.map((what) => `idempotentHint: again, it changed ${what}`));
    }
  }
  if (lies.length > 0) return { tool: name, outcome: 'lied', why: [...new Set(lies)] };
  if (failure !== undefined) return { tool: name, outcome: 'failed', why: [failure] };
  return { tool: name, outcome: 'kept', why: [] };
}

/** Nothing is called unasked that says it may do harm, or reach out and do something there. */
function whyNotCalled({ readOnlyHint, idempotentHint, openWorldHint }: Hints): string | undefined {
  if (readOnlyHint) return undefined;
  if (!idempotentHint) return 'it says neither that it only reads nor that it is idempotent';
  return openWorldHint
    ? 'it may change something elsewhere; --calls names calls that may be made'
    : undefined;
}

async function look(
  { connection, place, options: { timeoutMs } }: Proving,
  name: string,
  args: Readonly<Record<string, unknown>>,
) {
  const before = await place.snapshot();
  const sockets = connection.pid === undefined ? undefined : watchSockets(connection.pid);
  const signal = endsWithin(timeoutMs);
  let failure: string | undefined;
  let remotes: readonly string[] = [];
  try {
    const params = { name, arguments: withProject(args, place.project) as Record<string, unknown> };
    const { isError, content } = await connection.request('tools/call', params, { signal });
    if (isError) failure = textOf(content);
  } catch (error) {
    if (isLate(error) && signal.aborted) failure = `it did not answer within ${timeoutMs} ms`;
    else failure = error instanceof Error ? error.message : String(error);
  } finally {
    remotes = sockets?.stop() ?? [];
  }
  return { changed: changedIn(before, await place.snapshot()), remotes, failure };
}

/** The arguments with the project's folder wherever they name it. */
function withProject(value: unknown, project: string): unknown {
  if (typeof value === 'string') return value.replaceAll('{project}', project);
  if (Array.isArray(value)) return value.map((each) => withProject(each, project));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withProject(each, project)]));
}

function readTool(item: unknown): Listed[] {
  const { name, annotations, inputSchema } = Object(item) as {
    name?: unknown;
    annotations?: Partial<Hints>;
    inputSchema?: Readonly<Record<string, unknown>>;
  };
  if (typeof name !== 'string') return [];
  // What is not stated is, by the protocol, the word that promises least.
  const {
    readOnlyHint = false,
    idempotentHint = false,
    openWorldHint = true,
  } = Object(annotations) as Partial<Hints>;
  return [{ name, hints: { readOnlyHint, idempotentHint, openWorldHint }, inputSchema: inputSchema ?? {} }];
}

const MAX_TEXT_CHARS = 300;

function textOf(content: unknown): string {
  const blocks = Array.isArray(content) ? (content as { text?: unknown }[]) : [];
  const text = blocks
    .map((block) => (typeof block.text === 'string' ? block.text : ''))
    .join(' ')
    .trim();
  return text.length > MAX_TEXT_CHARS
    ? `${text.slice(0, MAX_TEXT_CHARS)}…`
    : text || 'it failed without a word';
}
