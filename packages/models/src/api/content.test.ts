import type { ContentBlock, ToolCallResult } from '@nexus/plugin-sdk';
import { modelEndpoint } from '@nexus/testing';
import { expect, it } from 'vitest';
import { idle, speaking, startModels, WIRES } from '../../test/models-under-test.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image: ContentBlock = { type: 'image', data: PIXEL, mimeType: 'image/png' };
const sound: ContentBlock = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' };

it.each(WIRES)(
  'over $wire a tool’s picture is seen where the model reads pictures, else said in a line',
  async (wire) => {
    const result: ToolCallResult = { content: [{ type: 'text', text: 'a chart' }, image, sound] };
    await using endpoint = await modelEndpoint([{ tools: [{ name: 'draw', input: {} }] }, { text: 'Nice.' }]);
    const given = speaking(wire, endpoint.url);
    const overrides = wire.model === 'ollama:qwen' ? { [wire.model]: { reads: ['image' as const] } } : {};
    await using under = startModels({ ...given, settings: { ...given.settings, overrides } });
    const draw = {
      name: 'draw',
      description: 'Draws.',
      inputSchema: { type: 'object' },
      isReadOnly: true,
      call: async () => result,
    };
    await under.models.converse({ prompt: 'Draw.', tools: [draw] }, idle());
    const sent = JSON.stringify(endpoint.requests[1]?.body);
    expect(endpoint.requests.map(({ fault }) => fault)).toEqual([undefined, undefined]);
    expect(sent).toContain('a chart');
    expect(sent.split(PIXEL)).toHaveLength(2);
    if (wire.wire === 'google') expect(sent).toContain('UklGRg==');
    else expect(sent).toContain(`[audio, audio/wav, 1 kB: left out, since ${wire.model} does not read it]`);
  },
);

it('over the chat interface no picture goes to a model that reads none', async () => {
  const wire = WIRES[3];
  await using endpoint = await modelEndpoint([{ text: 'Nice.' }]);
  await using under = startModels(speaking(wire, endpoint.url));
  await under.models.generate(
    { prompt: [{ role: 'user', content: [{ type: 'text', text: 'See?' }, image] }] },
    idle(),
  );
  const sent = JSON.stringify(endpoint.requests[0]?.body);
  expect(sent).not.toContain(PIXEL);
  expect(sent).toContain('[image, image/png, 1 kB: left out, since ollama:qwen does not read it]');
});

it('a tool whose name no provider takes is told of under another, and called by its own', async () => {
  await using endpoint = await modelEndpoint((seen, index) => {
    const [{ name = '' }] = seen.body.tools as [{ name?: string }];
    return index === 0 ? { tools: [{ name, input: {} }] } : { text: 'done' };
  });
  await using under = startModels(speaking(WIRES[0], endpoint.url));
  const name = `box/server.tool with spaces ${'x'.repeat(80)}`;
  const called: string[] = [];
  const tool = {
    name,
    description: 'x',
    inputSchema: { type: 'object' },
    isReadOnly: true,
    call: async () => {
      called.push(name);
      return { content: [] };
    },
  };
  const { toolCalls } = await under.models.converse({ prompt: 'x', tools: [tool] }, idle());
  expect(called).toEqual([name]);
  expect(toolCalls).toEqual([{ name, isError: false }]);
  expect(endpoint.requests.map(({ fault }) => fault)).toEqual([undefined, undefined]);
});
