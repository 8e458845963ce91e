import { getEventListeners } from 'node:events';
import type { ConversationTool } from '@nexus/plugin-sdk';
import { modelEndpoint } from '@nexus/testing';
import { describe, expect, it } from 'vitest';
import { idle, speaking, startModels, WIRES } from '../../test/models-under-test.ts';

const look: ConversationTool = {
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object', properties: {} },
  isReadOnly: true,
  call: async () => ({ content: [{ type: 'text', text: 'a long answer' }] }),
};

const wireOf = (name: string) => {
  const wire = WIRES.find((each) => each.wire === name);
  if (!wire) throw new Error(`no wire ${name}`);
  return wire;
};

/** Where the marks stand, and the request without them. */
function marksIn(body: unknown): { places: string[]; rest: unknown } {
  const places: string[] = [];
  const without = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((each, at) => without(each, `${path}.${at}`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, each]) => {
        if (key !== 'cache_control') return [[key, without(each, `${path}.${key}`)]];
        places.push(path.slice(1));
        return [];
      }),
    );
  };
  return { rest: without(body, ''), places };
}

interface AnthropicBody {
  readonly system: unknown;
  readonly tools: unknown;
  readonly messages: readonly unknown[];
}

async function bodiesOf(wire: (typeof WIRES)[number], tools: readonly ConversationTool[]) {
  const turns =
    tools.length > 0 ? [{ tools: [{ name: 'look', input: {} }] }, { text: 'Done.' }] : [{ text: 'Done.' }];
  await using endpoint = await modelEndpoint(turns);
  await using under = startModels(speaking(wire, endpoint.url));
  await under.models.converse({ system: 'What is known. Your role.', prompt: 'Look.', tools }, idle());
  expect(endpoint.requests.map(({ fault }) => fault)).toEqual(turns.map(() => undefined));
  return endpoint.requests.map(({ body }) => body);
}

describe.each(WIRES)('a conversation over $wire', (wire) => {
  it('leaves nothing on the signal that it ends by', async () => {
    const { signal } = new AbortController();
    await using endpoint = await modelEndpoint([
      { tools: [{ name: 'look', input: {} }] },
      { tools: [{ name: 'look', input: {} }] },
      { text: 'Done.' },
    ]);
    await using under = startModels(speaking(wire, endpoint.url));
    await under.models.converse({ system: 's', prompt: 'Look.', tools: [look] }, { signal });
    expect(endpoint.requests).toHaveLength(3);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('what requests begin with', () => {
  it('is marked for Anthropic’s cache: tools and system prompt, and what has been said', async () => {
    const [first, second] = (await bodiesOf(wireOf('anthropic'), [look])).map(marksIn);
    expect(first?.places).toEqual(['system.0', 'messages.0.content.0']);
    expect(second?.places).toEqual(['system.0', 'messages.2.content.0']);
  });

  it('is the same in each turn of a conversation, so that the next one finds it', async () => {
    const bodies = (await bodiesOf(wireOf('anthropic'), [look])).map((body) => marksIn(body).rest);
    const [first, second] = bodies as AnthropicBody[];
    expect(second?.system).toEqual(first?.system);
    expect(second?.tools).toEqual(first?.tools);
    expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
    expect(second?.messages.length).toBeGreaterThan(first?.messages.length ?? 0);
  });

  it('is not marked further than its system prompt where nothing comes after the answer', async () => {
    const [only] = (await bodiesOf(wireOf('anthropic'), [])).map(marksIn);
    expect(only?.places).toEqual(['system.0']);
  });

  it('is marked after the first of several texts, which others begin with as well', async () => {
    await using endpoint = await modelEndpoint([{ text: 'Done.' }]);
    await using under = startModels(speaking(wireOf('anthropic'), endpoint.url));
    const content = ['The files.', 'Your role.', 'Your task.'].map((text) => ({
      type: 'text' as const,
      text,
    }));
    const prompt = [{ role: 'user' as const, content }];
    await under.models.converse({ system: 's', prompt, tools: [look] }, idle());
    const [only] = endpoint.requests.map(({ body }) => marksIn(body));
    expect(only?.places).toEqual(['system.0', 'messages.0.content.0', 'messages.0.content.2']);
  });

  it('has one key at OpenAI for all that begins alike', async () => {
    const keys = async (tools: readonly ConversationTool[]) => {
      const bodies = await bodiesOf(wireOf('openai-responses'), tools);
      return bodies.map((body) => (body as { prompt_cache_key?: string }).prompt_cache_key);
    };
    const [first, second] = await keys([look]);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
    expect(await keys([])).not.toContain(first);
  });

  it.each(['google', 'openai-chat'])('is sent to %s without a word of it', async (name) => {
    expect(JSON.stringify(await bodiesOf(wireOf(name), [look]))).not.toMatch(/cache/i);
  });

  it('costs what writing it into the cache costs', async () => {
    const costs: (number | undefined)[] = [];
    for (const written of [0, 800]) {
      await using endpoint = await modelEndpoint([
        { text: 'Done.', usage: { input: 1_000, output: 0, written } },
      ]);
      await using under = startModels(speaking(wireOf('anthropic'), endpoint.url));
      const { usage } = await under.models.generate({ prompt: 'Look.' }, idle());
      expect(usage.inputTokens).toBe(1_000);
      costs.push(usage.costUsd);
    }
    const [plain = 0, written = 0] = costs;
    expect(plain).toBeGreaterThan(0);
    expect(written / plain).toBeCloseTo(1.2, 6);
  });

  it('is told as a bound of the cost where its price is not known', async () => {
    const told: (boolean | undefined)[] = [];
    for (const model of ['anthropic:claude-sonnet-5-5', 'anthropic:claude-haiku-5-5']) {
      await using endpoint = await modelEndpoint([
        { text: 'Done.', usage: { input: 1_000, output: 0, cached: 800 } },
      ]);
      await using under = startModels(speaking(wireOf('anthropic'), endpoint.url));
      const { usage } = await under.models.generate({ prompt: 'Look.', model }, idle());
      expect(usage).toMatchObject({ cachedInputTokens: 800, costUsd: expect.any(Number) });
      told.push(usage.isEstimated);
    }
    expect(told).toEqual([undefined, true]);
  });
});
