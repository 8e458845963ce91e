import type { ModelEvent } from '@nexus/plugin-sdk';
import { modelEndpoint } from '@nexus/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { idle, speaking, startModels, WIRES } from '../../test/models-under-test.ts';

describe.each(WIRES)('$wire', (wire) => {
  it('answers in pieces, with the tokens that the provider counted', async () => {
    await using endpoint = await modelEndpoint([
      { text: 'It is forty-two.', usage: { input: 120, output: 7, cached: 20 } },
    ]);
    await using under = startModels(speaking(wire, endpoint.url));
    const events: ModelEvent[] = [];
    const answer = await under.models.generate(
      { prompt: 'What is it?', system: 'Be short.', onEvent: (event) => events.push(event) },
      idle(),
    );
    expect(answer).toMatchObject({
      text: 'It is forty-two.',
      model: wire.model,
      stopReason: 'end',
      toolUses: [],
    });
    expect(answer.usage).toMatchObject({ inputTokens: 120, outputTokens: 7, cachedInputTokens: 20 });
    expect(endpoint.usage).toEqual({ input: 120, output: 7 });
    const texts = events.flatMap((event) => (event.type === 'text' ? [event.text] : []));
    expect(texts.join('')).toBe('It is forty-two.');
    expect(texts.length).toBeGreaterThan(1);
    const [{ wire: spoken, body, fault }] = endpoint.requests as [(typeof endpoint.requests)[0]];
    expect({ spoken, fault }).toEqual({ spoken: wire.wire, fault: undefined });
    expect(JSON.stringify(body)).toContain('What is it?');
    expect(JSON.stringify(body)).toContain('Be short.');
  });

  it('calls several tools in one turn and answers each under its id', async () => {
    await using endpoint = await modelEndpoint([
      {
        text: 'Let me look.',
        tools: [
          { name: 'get_weather', input: { city: 'Bern' } },
          { name: 'get_weather', input: { city: 'Basel' } },
        ],
      },
      { text: 'Sun in Bern, rain in Basel.' },
    ]);
    await using under = startModels(speaking(wire, endpoint.url));
    const conversation = await under.models.converse(
      {
        prompt: 'How is the weather?',
        tools: [
          {
            name: 'get_weather',
            description: 'The weather of a city.',
            inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
            isReadOnly: true,
            call: async ({ city }) => ({
              content: [{ type: 'text', text: city === 'Bern' ? 'sun' : 'rain' }],
            }),
          },
        ],
      },
      idle(),
    );
    expect(conversation).toMatchObject({ text: 'Sun in Bern, rain in Basel.', endedBy: 'answer' });
    expect(conversation.usage).toMatchObject({
      inputTokens: endpoint.usage.input,
      outputTokens: endpoint.usage.output,
    });
    expect(endpoint.requests.map(({ fault }) => fault)).toEqual([undefined, undefined]);
    const second = JSON.stringify(endpoint.requests[1]?.body);
    expect(second).toContain('sun');
    expect(second).toContain('rain');
  });

  it('gives an object by schema, and asks once more when the first is none', async () => {
    await using endpoint = await modelEndpoint([{ text: 'Sure! {"city": 7}' }, { text: '{"city":"Bern"}' }]);
    await using under = startModels(speaking(wire, endpoint.url));
    const answer = await under.models.object(
      { prompt: 'Which city?', schema: z.object({ city: z.string(), note: z.string().optional() }) },
      idle(),
    );
    expect(answer).toMatchObject({ value: { city: 'Bern' }, wasRepaired: true });
    expect(answer.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
    expect(endpoint.requests.map(({ fault }) => fault)).toEqual([undefined, undefined]);
    expect(JSON.stringify(endpoint.requests[0]?.body)).toContain('"city"');
    expect(JSON.stringify(endpoint.requests[1]?.body)).toContain('does not have the form');
  });
});
