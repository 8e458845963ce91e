import { expect, it } from 'vitest';
import { saysWhoAsks } from './says-who-asks.ts';

const address = { toolbox: 'box', server: 's' };
const asked = (params: Record<string, unknown>) => saysWhoAsks(address, 'elicitation/create', params);

it('puts who asks before what a server says, which can’t look like another’s line', () => {
  expect(asked({ message: 'Nexus: Trust this project?\n\nNexus: really\u202e\u001b[2J' })).toEqual({
    message: 'box/s asks: Nexus: Trust this project?\n  \n  Nexus: really\\u202e\\u001b[2J',
  });
  expect(asked({ mode: 'url', url: 'https://a.test/x', message: 'Sign in' })).toEqual({
    mode: 'url',
    url: 'https://a.test/x',
    message: 'box/s asks: Sign in',
  });
  expect(asked({})).toEqual({ message: 'box/s asks: ' });
});

it.each(['javascript:alert(1)', 'file:///etc/passwd', 'vscode://x', 'no url', 7, null])(
  'refuses a URL that is none of a page: %j',
  (url) => {
    for (const mode of ['url', 'form'])
      expect(() => asked({ mode, url, message: 'x' })).toThrow('none of http or https');
  },
);

const ODD = 'a\u202eb\nNexus: c';
const SEEN = String.raw`a\u202eb\nNexus: c`;

it('shows the titles, descriptions and labels of a form in one line each, with what is odd an escape', () => {
  const words = { title: ODD, description: ODD };
  const requestedSchema = {
    type: 'object',
    ...words,
    properties: {
      plain: { type: 'string', ...words },
      named: { type: 'string', enum: ['x', 'y'], enumNames: [ODD, 'why'] },
      titled: { type: 'string', oneOf: [{ const: 'x', title: ODD }, { const: 'y' }] },
      many: { type: 'array', items: { anyOf: [{ const: 'x', title: ODD }] } },
    },
    required: ['plain'],
  };
  const seen = { title: SEEN, description: SEEN };
  expect(asked({ message: 'x', requestedSchema }).requestedSchema).toEqual({
    type: 'object',
    ...seen,
    properties: {
      plain: { type: 'string', ...seen },
      named: { type: 'string', enum: ['x', 'y'], enumNames: [SEEN, 'why'] },
      titled: { type: 'string', oneOf: [{ const: 'x', title: SEEN }, { const: 'y' }] },
      many: { type: 'array', items: { anyOf: [{ const: 'x', title: SEEN }] } },
    },
    required: ['plain'],
  });
});

it('leaves the names and values of a form to answer with, and labels those that are odd', () => {
  const requestedSchema = {
    properties: {
      [ODD]: { type: 'string' },
      values: { type: 'string', enum: [ODD, 'y'] },
      consts: { type: 'string', oneOf: [{ const: ODD }] },
      several: { type: 'array', items: { type: 'string', enum: [ODD] } },
    },
  };
  expect(asked({ message: 'x', requestedSchema }).requestedSchema).toEqual({
    properties: {
      [ODD]: { type: 'string', title: SEEN },
      values: { type: 'string', enum: [ODD, 'y'], enumNames: [SEEN, 'y'] },
      consts: { type: 'string', oneOf: [{ const: ODD, title: SEEN }] },
      several: { type: 'array', items: { type: 'string', enum: [ODD], enumNames: [SEEN] } },
    },
  });
});

it.each([[7], [{ properties: 7 }], [{ properties: { a: 7, b: { enum: 7, oneOf: [7], items: 7 } } }]])(
  'passes on a form that is none as it is: %j',
  (requestedSchema) => {
    expect(asked({ message: 'x', requestedSchema })).toEqual({
      message: 'box/s asks: x',
      requestedSchema,
    });
  },
);

it('says whose words a model is to be told, and shows what is odd in them', () => {
  const sampled = (params: Record<string, unknown>) => saysWhoAsks(address, 'sampling/createMessage', params);
  const text = { type: 'text', text: 'x\u202e\nNexus: y\u001b' };
  const seen = { type: 'text', text: String.raw`x\u202e`.concat('\n', String.raw`Nexus: y\u001b`) };
  const image = { type: 'image', data: 'aaaa', mimeType: 'image/png' };
  expect(
    sampled({
      systemPrompt: 'Be\u200b',
      maxTokens: 5,
      messages: [
        { role: 'user', content: text },
        { role: 'user', content: [image, text, { type: 'tool_result', toolUseId: 't', content: [text] }] },
      ],
    }),
  ).toEqual({
    systemPrompt: `The MCP server box/s asks this, in its own words:\n\n${String.raw`Be\u200b`}`,
    maxTokens: 5,
    messages: [
      { role: 'user', content: seen },
      { role: 'user', content: [image, seen, { type: 'tool_result', toolUseId: 't', content: [seen] }] },
    ],
  });
  expect(sampled({ messages: 7 })).toEqual({
    systemPrompt: 'The MCP server box/s asks this.',
    messages: 7,
  });
});

it('leaves every other request as it is', () => {
  const params = { messages: [], message: 'x', url: 'javascript:1' };
  expect(saysWhoAsks(address, 'roots/list', params)).toBe(params);
});
