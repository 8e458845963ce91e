import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Channel, JsonRpcMessage } from '@nexus/core';

type Answer = Record<string, unknown>;
type Id = string | number;

export interface FixtureSession {
  readonly channel: Channel;
  readonly sessionId: string;
  readonly isResumed: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

const schema = (properties: object) => ({ type: 'object', properties });
const TOOLS = [
  { name: 'look', inputSchema: schema({}), annotations: { readOnlyHint: true } },
  { name: 'note', inputSchema: schema({}), annotations: { readOnlyHint: false } },
  { name: 'note_keyed', inputSchema: schema({ idempotencyKey: { type: 'string' } }) },
  { name: 'ask', inputSchema: schema({}), annotations: { readOnlyHint: true } },
];

/**
 * A small MCP server, written out so that the tests of sharing see each message. `note` writes a line to the
 * file that NOTES names when it begins, so that a second run shows.
 */
export function serveFixture(session: FixtureSession): { stop(): Promise<void> } {
  const { channel } = session;
  const running = new Map<Id, NodeJS.Timeout>();
  const asked = new Map<Id, (answer: JsonRpcMessage) => void>();
  const heard: string[] = [];
  let nextId = 0;

  const send = (message: Omit<JsonRpcMessage, 'jsonrpc'>) =>
    void channel.send({ jsonrpc: '2.0', ...message });
  const text = (value: unknown) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

  function begin(name: string, args: Answer): Answer | undefined {
    const record = `${process.env.NOTES}.${args.idempotencyKey}`;
    if (name === 'note_keyed' && existsSync(record)) return JSON.parse(readFileSync(record, 'utf8'));
    if (name !== 'look') appendFileSync(String(process.env.NOTES), `${args.note}\n`);
    return undefined;
  }

  function call(id: Id, { name, arguments: args = {}, _meta }: Answer & { arguments?: Answer }): void {
    if (name === 'ask') {
      const question = nextId++;
      asked.set(question, (answer) =>
        send({ id, result: text({ answer: answer.result, pid: process.pid }) }),
      );
      send({ id: question, method: 'sampling/createMessage', params: { messages: [] } });
      return;
    }
    const recorded = begin(String(name), args);
    const progressToken = (_meta as Answer | undefined)?.progressToken as string | undefined;
    if (progressToken !== undefined) {
      send({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } });
    }
    const finish = () => {
      running.delete(id);
      const result =
        recorded ?? text({ pid: process.pid, note: args.note, filler: 'x'.repeat(Number(args.size ?? 0)) });
      if (name === 'note_keyed')
        writeFileSync(`${process.env.NOTES}.${args.idempotencyKey}`, JSON.stringify(result));
      send({ id, result });
    };
    running.set(id, setTimeout(finish, Number(args.delayMs ?? 0)));
  }

  function result(method: string, params: Answer): Answer {
    const { sessionId, isResumed, environment } = session;
    const { pid } = process;
    switch (method) {
      case 'initialize': {
        const serverInfo = { name: 'fixture', version: String(pid) };
        return { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo };
      }
      case 'tools/list':
        return { tools: TOOLS };
      case 'fixture/session':
        return { sessionId, isResumed, environment, heard: [...heard], pid };
      default:
        return {};
    }
  }

  channel.start({
    message({ id, method, params = {}, ...rest }) {
      if (method === undefined) {
        const waiting = asked.get(id as Id);
        if (waiting) waiting(rest);
        else heard.push(`stray answer ${id}`);
        return;
      }
      heard.push(method);
      if (method === 'tools/call' && id !== undefined) call(id, params);
      else if (id !== undefined) send({ id, result: result(method, params) });
      else if (method === 'notifications/cancelled') {
        clearTimeout(running.get(params.requestId as Id));
        running.delete(params.requestId as Id);
      }
    },
    closed: () => void channel.close(),
  });

  return {
    /** As the product stops: calls in flight are ended with an error, then the channel closes. */
    async stop() {
      for (const [id, timer] of running) {
        clearTimeout(timer);
        const _meta = { 'nexus/error': { code: 'NEXUS_SHUTTING_DOWN' } };
        send({ id, result: { content: [{ type: 'text', text: 'stopping' }], isError: true, _meta } });
      }
      await channel.close();
    },
  };
}
