import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { rawSession } from '../test/raw-session.ts';

function tool(name: string, call: (context: CallContext) => Promise<unknown>) {
  return defineTool({
    name,
    title: name,
    description: 'Asks the client back.',
    input: z.object({}),
    output: z.object({ answer: z.unknown() }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    budget: 'interactive',
    call: async (_input, context) => ({ answer: await call(context) }),
  });
}

const tools = [
  tool('roots', async ({ roots }) => (await roots()).length),
  tool('sample', ({ sample }) =>
    sample({ messages: [{ role: 'user', content: { type: 'text', text: 'why?' } }], maxTokens: 10 }),
  ),
  tool('elicit', ({ elicit }) =>
    elicit({ message: 'Who?', requestedSchema: { type: 'object', properties: {} } }),
  ),
];

const started = () => rawSession(tools, { roots: { listChanged: true }, sampling: {}, elicitation: {} });
const call = (session: Awaited<ReturnType<typeof started>>, name: string) =>
  session.ask('tools/call', { name, arguments: {} });

describe('a client', () => {
  it.each([
    [100, 100],
    [101, 100],
  ])('that names %i roots has %i of them read', async (count, expected) => {
    const session = await started();
    const roots = Array.from({ length: count }, () => ({ uri: 'file:///' }));
    session.answers['roots/list'] = () => ({ result: { roots } });
    const { result } = await call(session, 'roots');
    // Those that are the same place count one by one, beside the project.
    expect(result).toMatchObject({ structuredContent: { answer: expected + 1 } });
  });

  it('that says ten thousand times that its roots changed is asked once a call', async () => {
    const session = await started();
    session.answers['roots/list'] = () => ({ result: { roots: [] } });
    const asked = () => session.received.filter(({ method }) => method === 'roots/list').length;
    await call(session, 'roots');
    for (let count = 0; count < 10_000; count += 1) {
      void session.send({ method: 'notifications/roots/list_changed' });
    }
    await session.ask('ping');
    expect(asked()).toBe(1);
    await call(session, 'roots');
    await call(session, 'roots');
    expect(asked()).toBe(2);
  });

  it('is answered after a storm of notifications and answers that mean nothing to anybody', async () => {
    const session = await started();
    const before = session.received.length;
    for (let count = 0; count < 10_000; count += 1) {
      void session.send({ method: 'notifications/cancelled', params: { requestId: `none-${count}` } });
      void session.send({ method: 'notifications/progress', params: { progressToken: count, progress: 1 } });
      void session.send({ method: `notifications/unknown_${count}`, params: { count } });
      void session.send({ id: 1_000_000 + count, result: { count } });
      void session.send({ id: 2_000_000 + count, error: { code: 1, message: 'no' } });
    }
    expect(await session.ask('ping')).toMatchObject({ result: {} });
    // Nothing was said to any of it.
    expect(session.received.length).toBe(before + 1);
  });

  it('that answers at a length that nobody could hold is refused', async () => {
    const session = await started();
    const text = 'x'.repeat(4_000_001);
    session.answers['sampling/createMessage'] = () => ({
      result: { model: 'm', role: 'assistant', content: { type: 'text', text } },
    });
    session.answers['elicitation/create'] = () => ({ result: { action: 'accept', content: { text } } });
    for (const name of ['sample', 'elicit']) {
      const { result } = await call(session, name);
      expect(result).toMatchObject({ isError: true, _meta: { 'nexus/error': { code: 'NEXUS_REFUSED' } } });
      expect(JSON.stringify(result)).toMatch(
        /its answer has 4\d{6} characters as JSON; at most \d+ are taken/,
      );
    }
    session.answers['sampling/createMessage'] = () => ({ error: { code: 1, message: text } });
    session.answers['elicitation/create'] = () => ({ result: { action: text } });
    for (const name of ['sample', 'elicit']) {
      expect(JSON.stringify((await call(session, name)).result).length).toBeLessThan(10_000);
    }
  });
});
