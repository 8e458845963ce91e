// The client that the official conformance suite runs: connects to the URL it is given, as the product
// does, and does what the scenario wants of a client.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANSWER_MS, endsWithin } from '@nexus/core';
import { createWatchdog } from '@nexus/processes';
import { jsonLinesChannel } from '@nexus/transports/json-lines';
import { type Connection, connectServer } from '../../src/index.ts';
import type { OAuthSettings } from '../../src/settings.ts';

const url = String(process.argv[2]);
const scenario = String(process.env.MCP_CONFORMANCE_SCENARIO);
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const say = (message: string, fields?: object) => console.error(message, fields ?? '');

/** A person who agrees to everything: follows the page to where it leads. */
async function agree(page: URL): Promise<void> {
  const answer = await fetch(page, { redirect: 'manual' });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`the page led nowhere: HTTP ${answer.status}`);
  await fetch(location);
}

/** What a user would have written in the config. */
function configured(): OAuthSettings | undefined {
  if (scenario === 'auth/basic-cimd')
    return { clientId: 'https://conformance-test.local/client-metadata.json' };
  if (context.client_id === undefined) return undefined;
  return { clientId: context.client_id, clientSecret: context.client_secret };
}

/** Answers a form with its schema's defaults (SEP-1034). */
function accept(params: Readonly<Record<string, unknown>>) {
  const { properties } = params.requestedSchema as { properties: Record<string, { default?: unknown }> };
  const filled = Object.entries(properties).filter(([, property]) => property.default !== undefined);
  return {
    action: 'accept',
    content: Object.fromEntries(filled.map(([name, property]) => [name, property.default])),
  };
}

async function callEveryTool(connection: Connection): Promise<void> {
  const tools = (await connection.list('tools/list', 'tools', { signal: endsWithin(ANSWER_MS) })) as {
    name: string;
  }[];
  for (const { name } of tools) {
    await connection.request(
      'tools/call',
      { name, arguments: name === 'add_numbers' ? { a: 5, b: 3 } : {} },
      { signal: endsWithin(ANSWER_MS) },
    );
  }
}

const authFolder = await mkdtemp(join(tmpdir(), 'nexus-conformance-client-'));
const connection = await connectServer(
  {
    transport: 'http',
    url,
    args: [],
    env: {},
    headers: {},
    oauth: configured(),
  },
  {
    serverName: scenario,
    clientInfo: { name: 'nexus', version: '1' },
    listener: { notification() {}, request: async (_method, params) => accept(params) },
    log: { debug: say, info: say, warn: say, error: say },
    projectRoot: tmpdir(),
    openLines: jsonLinesChannel,
    watchdog: createWatchdog(),
    authFolder,
    // Whatever it would have to be asked for first is not done.
    interactive: { openUrl: agree, agree: async () => false },
  },
);
try {
  await callEveryTool(connection);
} finally {
  await connection.close();
  await rm(authFolder, { recursive: true });
}
