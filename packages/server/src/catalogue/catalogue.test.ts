import { defineTool } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connectClient, runtime, startSession } from '../../test/start-session.ts';

const runs = {
  uriTemplate: 'nexus://runs/{id}',
  name: 'runs',
  title: 'Runs',
  description: 'A run.',
  mimeType: 'application/json',
  read: async ({ id }: Readonly<Record<string, string>>) => JSON.stringify({ id }),
  complete: (_variable: string, typed: string) => ['alpha', 'beta'].filter((id) => id.startsWith(typed)),
};

describe('resource templates', () => {
  it('are listed, read by the values in a URI, subscribed and completed', async () => {
    const { catalogue, clientEnd } = startSession();
    catalogue.resources.addTemplate(runs, runtime);
    const client = await connectClient(clientEnd);
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'nexus://runs/{id}', name: 'runs' },
    ]);
    const { contents } = await client.readResource({ uri: 'nexus://runs/beta' });
    expect(contents).toEqual([
      { uri: 'nexus://runs/beta', mimeType: 'application/json', text: '{"id":"beta"}' },
    ]);
    await expect(client.subscribeResource({ uri: 'nexus://runs/beta' })).resolves.toEqual({});
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'nexus://runs/{id}' },
      argument: { name: 'id', value: 'b' },
    });
    expect(completion.values).toEqual(['beta']);
  });

  it('yield to a resource that has the URI itself', async () => {
    const { catalogue, clientEnd } = startSession();
    catalogue.resources.addTemplate(runs, runtime);
    const { complete: _complete, uriTemplate: _template, ...rest } = runs;
    catalogue.resources.add({ ...rest, uri: 'nexus://runs/latest', read: async () => 'itself' }, runtime);
    const client = await connectClient(clientEnd);
    const { contents } = await client.readResource({ uri: 'nexus://runs/latest' });
    expect(contents).toMatchObject([{ text: 'itself' }]);
  });

  it('do not make every URI known', async () => {
    const { catalogue, clientEnd } = startSession();
    catalogue.resources.addTemplate(runs, runtime);
    const client = await connectClient(clientEnd);
    await expect(client.readResource({ uri: 'nexus://tasks/1' })).rejects.toMatchObject({ code: -32002 });
    await expect(client.subscribeResource({ uri: 'nexus://tasks/1' })).rejects.toMatchObject({
      code: -32002,
    });
  });
});

describe('icons', () => {
  it('are listed with whatever has them, and with nothing else', async () => {
    const icons = [{ src: 'data:image/svg+xml,<svg/>', mimeType: 'image/svg+xml', sizes: ['any'] }];
    const tool = defineTool({
      name: 'drawn',
      title: 'Drawn',
      description: 'Has an icon.',
      input: z.object({}),
      output: z.object({}),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      icons,
      budget: 'interactive',
      call: async () => ({}),
    });
    const { catalogue, clientEnd } = startSession([tool]);
    const { title, description, mimeType } = runs;
    const plain = { uri: 'nexus://plain', name: 'plain', title, description, mimeType, read: async () => '' };
    const named = { name: 'named', title: 'Named', description: 'A prompt.', arguments: [] };
    catalogue.resources.addTemplate({ ...runs, icons }, runtime);
    catalogue.resources.add({ ...plain, uri: 'nexus://drawn', icons }, runtime);
    catalogue.resources.add(plain, runtime);
    catalogue.prompts.add({ ...named, icons, render: () => 'hi' }, runtime);
    const client = await connectClient(clientEnd);
    expect((await client.listTools()).tools[0]?.icons).toEqual(icons);
    expect((await client.listPrompts()).prompts[0]?.icons).toEqual(icons);
    expect((await client.listResourceTemplates()).resourceTemplates[0]?.icons).toEqual(icons);
    const { resources } = await client.listResources();
    expect(resources.map((each) => each.icons)).toEqual([icons, undefined]);
  });
});

describe('the catalogue', () => {
  it('refuses a second resource or prompt of one name, with both plugins', () => {
    const { catalogue } = startSession();
    catalogue.resources.addTemplate(runs, runtime);
    expect(() => catalogue.resources.addTemplate(runs, { ...runtime, name: 'other' })).toThrow(
      'plugin "other": "nexus://runs/{id}" is taken by plugin "fixture"; rename one',
    );
  });

  it('serves prompts of several messages as they are', async () => {
    const { catalogue, clientEnd } = startSession();
    const image = { type: 'image' as const, data: 'aGk=', mimeType: 'image/png' };
    catalogue.prompts.add(
      {
        name: 'look',
        title: 'Look',
        description: 'Look at it.',
        arguments: [],
        render: () => [
          { role: 'user' as const, content: image },
          { role: 'assistant' as const, content: { type: 'text' as const, text: 'I see' } },
        ],
      },
      runtime,
    );
    const client = await connectClient(clientEnd);
    expect((await client.getPrompt({ name: 'look' })).messages).toEqual([
      { role: 'user', content: image },
      { role: 'assistant', content: { type: 'text', text: 'I see' } },
    ]);
  });
});
