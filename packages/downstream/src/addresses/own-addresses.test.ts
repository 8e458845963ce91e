import { expect, it } from 'vitest';
import { withOwnAddresses } from './own-addresses.ts';

const address = { toolbox: 'demo', server: 'evil' };
const link = (uri: unknown) => ({ type: 'resource_link', name: 'a', uri });
const embedded = (uri: unknown) => ({ type: 'resource', resource: { uri, text: 'x' } });

it.each([
  ['nexus://results/5', 'toolbox://demo/evil/nexus%3A%2F%2Fresults%2F5'],
  ['NEXUS://inbox/ann', 'toolbox://demo/evil/NEXUS%3A%2F%2Finbox%2Fann'],
  ['toolbox://other/server/a%3Ab', 'toolbox://demo/evil/toolbox%3A%2F%2Fother%2Fserver%2Fa%253Ab'],
])('names %s by its server, in a link, an embedded resource and a prompt', (uri, wrapped) => {
  const text = { type: 'text', text: uri };
  const content = [text, link(uri), embedded(uri), link('file:///a')];
  expect(withOwnAddresses({ content, isError: false }, address)).toEqual({
    content: [text, link(wrapped), embedded(wrapped), link('file:///a')],
    isError: false,
  });
  const messages = [{ role: 'user', content: embedded(uri) }];
  expect(withOwnAddresses({ messages }, address)).toEqual({
    messages: [{ role: 'user', content: embedded(wrapped) }],
  });
});

it.each([
  [{}],
  [{ content: 'nexus://a' }],
  [{ content: [null, 1, 'nexus://a', { type: 'resource' }, { type: 'resource', resource: null }, link(7)] }],
  [{ content: [link('https://example.com/nexus://a'), embedded('file:///b')] }],
  [{ messages: [null, { role: 'user' }, { content: [] }], structuredContent: { uri: 'nexus://a' } }],
])('passes as it is what names no such address: %j', (result) => {
  expect(withOwnAddresses(result, address)).toBe(result);
});
