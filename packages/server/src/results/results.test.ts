import type { ToolCallResult } from '@nexus/plugin-sdk';
import { attributionTo } from '@nexus/primitives';
import { scopeOf } from '@nexus/testing';
import { describe, expect, it } from 'vitest';
import { passedTool } from '../../test/passed-tool.ts';
import { rawSession } from '../../test/raw-session.ts';
import { startSession } from '../../test/start-session.ts';
import { createKeptResults } from './kept-results.ts';

const call = { name: 'box__server__tool' };
const long = 'word '.repeat(100);

async function session(
  result: object,
  protocolVersion?: string,
  results = createKeptResults({ maxResultChars: 100 }),
) {
  const started = startSession([], undefined, { results });
  const answering = passedTool(async () => result as ToolCallResult);
  started.registry.setForSession(scopeOf(started.session.id), 'box', [
    answering,
    passedTool(async (_value, { tools }) => tools.call(call.name, {}), { name: 'outer' }),
  ]);
  return { ...(await rawSession(started, {}, protocolVersion)), results };
}

describe('a session that limits results', () => {
  it('serves the whole of one that it cut by the URI that it links to', async () => {
    const { ask } = await session({ content: [{ type: 'text', text: long }] });
    const content = (await ask('tools/call', call)).result?.content as Record<string, string>[];
    expect(content[0]?.text?.length).toBeLessThan(long.length);
    const { uri } = content[1] ?? {};
    expect((await ask('resources/read', { uri })).result).toEqual({
      contents: [{ uri, mimeType: 'text/plain', text: long }],
    });
    const templates = (await ask('resources/templates/list')).result?.resourceTemplates;
    expect(templates).toMatchObject([{ uriTemplate: 'nexus://results/{id}' }]);
    const ref = { type: 'ref/resource', uri: 'nexus://results/{id}' };
    const argument = { name: 'id', value: '' };
    expect((await ask('completion/complete', { ref, argument })).result).toMatchObject({
      completion: { values: [uri?.replace('nexus://results/', '')] },
    });
  });

  it('says of the whole, too, whose words it is in', async () => {
    const line = { type: 'text', text: attributionTo('box/it') };
    const { ask } = await session({ content: [line, { type: 'text', text: long }] });
    const content = (await ask('tools/call', call)).result?.content as Record<string, string>[];
    expect(content[0]).toEqual(line);
    const { uri } = content.at(-1) ?? {};
    expect((await ask('resources/read', { uri })).result).toEqual({
      contents: [
        { uri, mimeType: 'text/plain', text: line.text },
        { uri, mimeType: 'text/plain', text: long },
      ],
    });
  });

  it('cuts the answer to its client, not what one tool answers another', async () => {
    const { ask, results, session: own } = await session({ content: [{ type: 'text', text: long }] });
    const { result } = await ask('tools/call', { name: 'outer' });
    expect(result?.content).toHaveLength(2);
    const [id] = results.ids(scopeOf(own.id));
    expect(results.read(scopeOf(own.id), `nexus://results/${id}`)?.text).toBe(long);
  });

  it('passes one below the limit byte for byte', async () => {
    const result = { odd: 1, content: [{ type: 'text', text: 'short' }], structuredContent: { b: 1, a: 2 } };
    const { ask } = await session(result);
    expect(JSON.stringify((await ask('tools/call', call)).result)).toBe(JSON.stringify(result));
  });

  it('keeps it from other sessions, and no longer than its own lasts', async () => {
    const { ask, results, open, session: own } = await session({ content: [{ type: 'text', text: long }] });
    await ask('tools/call', call);
    const uri = `nexus://results/${results.ids(scopeOf(own.id))[0]}`;
    const another = open();
    expect(results.read(scopeOf(another.session.id), uri)).toBeUndefined();
    await own.close();
    expect(results.ids(scopeOf(own.id))).toEqual([]);
  });

  it('sends no links to a client of a protocol that has none', async () => {
    const { ask } = await session({ content: [{ type: 'text', text: long }] }, '2025-03-26');
    expect((await ask('tools/call', call)).result?.content).toHaveLength(1);
  });

  it('answers no URI before what it names is on disk', async () => {
    let isWritten = false;
    const disk = {
      async put() {
        await new Promise((resolve) => setTimeout(resolve, 50));
        isWritten = true;
      },
      get: async () => undefined,
    };
    const results = createKeptResults({ maxResultChars: 100, disk });
    const { ask } = await session({ content: [{ type: 'text', text: long }] }, undefined, results);
    expect(JSON.stringify(await ask('tools/call', call))).toContain('nexus://results/');
    expect(isWritten).toBe(true);
  });
});
