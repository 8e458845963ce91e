import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { rawSession } from '../test/raw-session.ts';
import { connectClient, startSession } from '../test/start-session.ts';

function asking(call: (context: CallContext) => Promise<unknown>) {
  return defineTool({
    name: 'asking',
    title: 'Asking',
    description: 'Asks the client back.',
    input: z.object({}),
    output: z.object({ answer: z.unknown() }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    budget: 'interactive',
    call: async (_input, context) => ({ answer: await call(context) }),
  });
}

const sampling = asking(({ sample }) =>
  sample({ messages: [{ role: 'user', content: { type: 'text', text: 'why?' } }], maxTokens: 10 }),
);
const form = asking(({ elicit }) =>
  elicit({
    message: 'Who are you?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  }),
);
const page = asking(({ elicit }) => elicit({ message: 'Sign in', url: 'https://example.com/login' }));

const text = (said: string) => ({ type: 'text', text: said });

const call = { name: 'asking', arguments: {} };

describe('a tool that asks the client back', () => {
  it('gets the answer of the host’s model', async () => {
    const client = await connectClient(startSession([sampling]).clientEnd, { sampling: {} });
    const asked = vi.fn();
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
      asked(params);
      return { model: 'm', role: 'assistant', content: { type: 'text', text: 'because' } };
    });
    const { structuredContent } = await client.callTool(call);
    expect(structuredContent).toMatchObject({ answer: { model: 'm', content: { text: 'because' } } });
    expect(asked).toHaveBeenCalledWith(expect.objectContaining({ maxTokens: 10 }));
  });

  it('gets the form that the user filled in, or that the user declined', async () => {
    const client = await connectClient(startSession([form]).clientEnd, { elicitation: {} });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
    expect((await client.callTool(call)).structuredContent).toEqual({
      answer: { action: 'accept', content: { name: 'Ada' } },
    });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));
    expect((await client.callTool(call)).structuredContent).toEqual({ answer: { action: 'decline' } });
  });

  it('sends the user to a page only where the client offers that', async () => {
    const forms = await connectClient(startSession([page]).clientEnd, { elicitation: { form: {} } });
    expect(await forms.callTool(call)).toMatchObject({
      isError: true,
      _meta: { 'nexus/error': { code: 'NEXUS_UNAVAILABLE' } },
    });
    const pages = await connectClient(startSession([page]).clientEnd, { elicitation: { url: {} } });
    const asked = vi.fn();
    pages.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked(params);
      return { action: 'accept' };
    });
    expect((await pages.callTool(call)).structuredContent).toEqual({ answer: { action: 'accept' } });
    expect(asked).toHaveBeenCalledWith(
      expect.objectContaining({
        mode: 'url',
        url: 'https://example.com/login',
        elicitationId: expect.any(String),
      }),
    );
  });

  it.each([
    ['2025-11-25', [{ role: 'user', content: [text('one'), text('two')] }]],
    ['2025-06-18', [text('one'), text('two')].map((content) => ({ role: 'user', content }))],
  ])('asks a client of %s in messages as that revision has them', async (revision, messages) => {
    const several = asking(({ sample }) =>
      sample({ messages: [{ role: 'user', content: [text('one'), text('two')] }], maxTokens: 10 }),
    );
    const { ask, answers, heard } = await rawSession([several], { sampling: {} }, revision);
    answers['sampling/createMessage'] = () => ({
      result: { model: 'm', role: 'assistant', content: text('because') },
    });
    expect(await ask('tools/call', call)).toMatchObject({ result: { structuredContent: {} } });
    expect(heard('sampling/createMessage')).toMatchObject([{ messages }]);
  });

  it('says so where the client offers nothing of the kind', async () => {
    const client = await connectClient(startSession([sampling]).clientEnd);
    const result = await client.callTool(call);
    expect(result).toMatchObject({ isError: true, _meta: { 'nexus/error': { category: 'unavailable' } } });
    expect(JSON.stringify(result.content)).toContain('does not offer sampling');
  });

  it('refuses an answer that does not fit the form it asked for', async () => {
    const client = await connectClient(startSession([form]).clientEnd, { elicitation: {} });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 5 } }));
    expect(await client.callTool(call)).toMatchObject({
      isError: true,
      _meta: { 'nexus/error': { code: 'NEXUS_REFUSED' } },
    });
  });
});

describe('attached content', () => {
  const attaching = (output: Record<string, unknown>) =>
    defineTool({
      name: 'asking',
      title: 'Attaching',
      description: 'Attaches.',
      input: z.object({}),
      output: z.looseObject({}),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      budget: 'interactive',
      async call(_input, { attach }) {
        attach({ type: 'image', data: 'aGk=', mimeType: 'image/png' });
        return output;
      },
    });

  it('follows the answer as text, and stands alone where the answer says nothing', async () => {
    const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
    const both = await connectClient(startSession([attaching({ width: 1 })]).clientEnd);
    expect((await both.callTool(call)).content).toEqual([{ type: 'text', text: '{"width":1}' }, image]);
    const alone = await connectClient(startSession([attaching({})]).clientEnd);
    const named = { type: 'text', text: '[a picture: image/png, 2 bytes]' };
    expect((await alone.callTool(call)).content).toEqual([named, image]);
  });
});
