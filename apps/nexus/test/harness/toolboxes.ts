import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { type HostSession, openSession } from './session.ts';

/** How a config starts a stdio server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What Nexus declares to the servers behind it; a server may show more to a client that offers more. */
const DOWNSTREAM_CAPABILITIES = {
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  roots: {},
};

const require = createRequire(import.meta.url);

/** A server of the protocol's own project, as a user would configure it. */
export function referenceServer(
  name: 'everything' | 'filesystem' | 'memory',
  ...args: string[]
): ServerCommand {
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL('dist/index.js', `file://${manifest}`)), ...args],
  };
}

/** Asks a server directly, with nothing in between. */
export async function directly<Answer>(
  { command, args, env }: ServerCommand,
  work: (session: HostSession) => Promise<Answer>,
): Promise<Answer> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, ...env } });
  try {
    const session = openSession(child.stdout, child.stdin, { isForeign: true });
    await session.initialize(DOWNSTREAM_CAPABILITIES);
    return await work(session);
  } finally {
    child.kill('SIGKILL');
  }
}

// biome-ignore lint/suspicious/noExplicitAny: definitions of every shape
type Definition = any;

/** Every page of one of a server's lists. */
export async function listAll(session: HostSession, method: string, key: string): Promise<Definition[]> {
  const items: Definition[] = [];
  let cursor: string | undefined;
  do {
    const { result, error } = await session.ask(method, cursor === undefined ? {} : { cursor });
    expect(error, method).toBeUndefined();
    items.push(...result[key]);
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return items;
}

/** What `open_toolbox` answers; fails where the toolbox does not open. */
export async function openToolbox(session: HostSession, toolbox: string): Promise<Definition> {
  const { result, error } = await session.call('open_toolbox', { toolbox });
  expect(error).toBeUndefined();
  expect(result.isError, JSON.stringify(result)).toBeFalsy();
  return result.structuredContent;
}
