import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Chat, createChat, type ServerTool, sessionStore } from '@nexus/chat';
import { memoryLedger } from '@nexus/conversation';
import { createModels } from '@nexus/models';
import { createStore } from '@nexus/store';
import type { Measure } from '../figure.ts';
import { inRehearsal } from '../rehearsal.ts';
import { type ScriptedAnthropic, scriptedAnthropic } from '../scripted-anthropic.ts';
import { median } from '../statistics.ts';

const TURNS = inRehearsal(1, 1000);
/** Turns that the time is taken of, each in a conversation of its own so that all are alike. */
const TIMED = inRehearsal(1, 200);
const WARM_UP = inRehearsal(1, 30);
const MODEL = 'anthropic:claude-sonnet-5-5';
const signal = new AbortController().signal;

export const chat: Measure = {
  name: 'chat',
  method: `A turn of two model calls and one tool call, kept in its file, on a scripted endpoint on loopback in Anthropic's wire format; less the time of the tool and of the same two request bodies posted by fetch and read to the end, in turn. Median of ${TIMED} after ${WARM_UP} to warm up. Memory: growth of the heap, after garbage collection, over ${TURNS} turns of one conversation, summaries included.`,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'nexus-bench-chat-'));
    const endpoint = await scriptedAnthropic('look');
    const database = createStore({ projectId: 'bench', dataDir: folder });
    try {
      const { begin, toolMs } = conversations(folder, endpoint.url, database);
      const added: number[] = [];
      for (let round = -WARM_UP; round < TIMED; round += 1) {
        const turn = begin();
        const tookMs = await timed(() => turn.ask('What is there?', { signal }));
        const rawMs = await rawTurn(endpoint, turn);
        if (round >= 0) added.push(tookMs - rawMs - toolMs());
      }
      const long = begin();
      await long.ask('The first.', { signal });
      const before = heapMb();
      for (let turn = 0; turn < TURNS; turn += 1) await long.ask(`Question ${turn}.`, { signal });
      const grown = heapMb() - before;
      return [
        {
          what: 'What a chat adds to a turn of two model calls and a tool call',
          unit: 'ms',
          nexus: median(added),
          target: { of: 'value', atMost: 5 },
        },
        {
          what: `Heap that ${TURNS} turns of one conversation add`,
          unit: 'MB',
          nexus: grown,
          target: { of: 'value', atMost: 20 },
        },
      ];
    } finally {
      await database.close();
      await endpoint[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Real conversations on the endpoint, with one tool whose own time is told. */
function conversations(folder: string, url: string, database: ReturnType<typeof createStore>) {
  let toolMs = 0;
  const quiet = () => {};
  const models = createModels({
    settings: { order: [], providers: {}, overrides: {}, maxAttempts: 1 },
    store: database,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    recorded: quiet,
    environment: { ANTHROPIC_API_KEY: 'sk-bench', ANTHROPIC_BASE_URL: url },
    findProgram: () => undefined,
    processes: { watch: quiet, release: quiet, close: () => {} },
  });
  const look: ServerTool = {
    name: 'look',
    server: 'bench',
    origin: 'look',
    description: 'Looks something up.',
    inputSchema: { type: 'object', properties: { key: { type: 'string' } } },
    isReadOnly: true,
    reachesOut: false,
    isFirst: true,
    isOwn: true,
    async call() {
      const startedAt = performance.now();
      const result = { content: [{ type: 'text' as const, text: 'found: '.padEnd(500, 'x') }] };
      toolMs = performance.now() - startedAt;
      return result;
    },
  };
  const store = sessionStore(join(folder, 'chat'));
  return {
    toolMs: () => toolMs,
    begin(): Chat {
      const session = store.begin();
      session.model = MODEL;
      return createChat({
        models,
        session,
        store,
        ledger: memoryLedger(),
        tools: () => [look],
        searchTools: async () => () => [],
        permit: async () => 'no',
        system: 'You answer briefly.',
      });
    },
  };
}

/** The turn's two requests again: the last body as it was, and the same without its last two messages. */
async function rawTurn(endpoint: ScriptedAnthropic, { session }: Chat): Promise<number> {
  const last = endpoint.lastBody;
  const parsed = JSON.parse(last) as { messages: unknown[] };
  const first = JSON.stringify({ ...parsed, messages: parsed.messages.slice(0, -2) });
  if (session.messages.length !== 4 || parsed.messages.length !== 3)
    throw new Error('the turn was not one of two model calls and a tool call');
  return timed(async () => {
    await post(endpoint, first);
    await post(endpoint, last);
  });
}

async function post({ url }: ScriptedAnthropic, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-api-key': 'sk-bench' };
  const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body });
  await response.text();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function heapMb(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 1e6;
}
