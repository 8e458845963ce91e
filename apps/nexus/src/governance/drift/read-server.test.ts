import { JSON_RPC, ProtocolError } from '@nexus/core/errors';
import { describe, expect, it } from 'vitest';
import { readServer, type SendRequest } from './read-server.ts';

type Pages = Record<string, Record<string, unknown>[]>;

/** A server of the given pages; the cursor is the number of the next page. */
function serverOf(pages: Pages): SendRequest {
  return async (method, { cursor = '0' }) => {
    const listed = pages[method];
    if (!listed) throw new ProtocolError(JSON_RPC.methodNotFound, `no ${method}`);
    const next = Number(cursor) + 1;
    return { ...listed[Number(cursor)], ...(next < listed.length ? { nextCursor: String(next) } : {}) };
  };
}

describe('readServer', () => {
  it('reads all pages, and keeps each definition whole', async () => {
    const odd = { name: 'b', inputSchema: { 'x-vendor': 1 }, unknownKey: [null] };
    const { lock, faults } = await readServer(
      serverOf({ 'tools/list': [{ tools: [odd] }, { tools: [{ name: 'a' }] }] }),
    );
    expect(lock.tools).toEqual({ a: { name: 'a' }, b: odd });
    expect(faults).toEqual([]);
  });

  it('reads resources, templates and prompts by what names them', async () => {
    const { lock } = await readServer(
      serverOf({
        'tools/list': [{ tools: [] }],
        'resources/list': [{ resources: [{ uri: 'x://a', name: 'A' }] }],
        'resources/templates/list': [{ resourceTemplates: [{ uriTemplate: 'x://{id}' }] }],
        'prompts/list': [{ prompts: [{ name: 'p' }] }],
      }),
    );
    expect(Object.keys(lock.resources)).toEqual(['x://a']);
    expect(Object.keys(lock.resourceTemplates)).toEqual(['x://{id}']);
    expect(Object.keys(lock.prompts)).toEqual(['p']);
  });

  it('takes a list that the server does not know as empty', async () => {
    const { lock } = await readServer(serverOf({ 'tools/list': [{ tools: [{ name: 'a' }] }] }));
    expect(lock.prompts).toEqual({});
  });

  it('reports a bad entry and keeps the rest', async () => {
    const tools = [{ name: 'a' }, { title: 'nameless' }, 'text', { name: 'a' }, { name: 'b' }];
    const { lock, faults } = await readServer(serverOf({ 'tools/list': [{ tools }] }));
    expect(Object.keys(lock.tools)).toEqual(['a', 'b']);
    expect(faults).toEqual([
      'tools[1] has no name; left out',
      'tools[2] has no name; left out',
      'tools[3] is a second "a"; left out',
    ]);
  });

  it('passes on any other error', async () => {
    const send = async () => {
      throw new ProtocolError(JSON_RPC.internalError, 'it broke');
    };
    await expect(readServer(send)).rejects.toThrow('it broke');
  });

  it('gives up on a cursor that never ends', async () => {
    await expect(readServer(async () => ({ tools: [], nextCursor: 'again' }))).rejects.toThrow(
      'does not seem to end',
    );
  });
});
