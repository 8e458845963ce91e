import { ToolError } from '@nexus/plugin-sdk';
import { fakeClis, modelEndpoint } from '@nexus/testing';
import { describe, expect, it, vi } from 'vitest';
import { idle, speaking, startModels, WIRES } from '../test/models-under-test.ts';

const [anthropic, openai] = WIRES;
const provider = (baseUrl: string, more = {}) => ({
  isEnabled: true,
  baseUrl,
  apiKey: 'sk-test-key',
  ...more,
});

describe('models', () => {
  it('are not there without any source: the error says what was looked for and what helps', async () => {
    await using under = startModels();
    await expect(under.models.generate({ prompt: 'x' }, idle())).rejects.toMatchObject({
      code: 'NEXUS_NO_MODEL',
      message: expect.stringMatching(
        /ANTHROPIC_API_KEY.*command lines.*sampling.*- anthropic: has no key.*- claude: there is no program.*- host: no client/s,
      ),
    });
    await expect(under.models.route({ task: 'x' })).rejects.toMatchObject({ code: 'NEXUS_NO_MODEL' });
  });

  it('are found in the config’s order, each with why it was found or not', async () => {
    using clis = fakeClis({ codex: { text: 'x' } });
    await using under = startModels({
      environment: { OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' },
      findProgram: clis.find,
      settings: {
        order: ['codex', 'ollama', 'host', 'no-such'],
        providers: {
          ollama: { isEnabled: true, baseUrl: 'http://127.0.0.1:11434', models: ['qwen3'] },
          google: { isEnabled: false },
        },
      },
    });
    const listed = await under.models.list();
    expect(listed.map(({ name, isFound }) => `${name} ${isFound}`)).toEqual([
      'codex true',
      'ollama true',
      'host false',
      'anthropic false',
      'openai true',
      'google false',
      'claude false',
      'gemini false',
      'opencode false',
    ]);
    expect(Object.fromEntries(listed.map(({ name, reason }) => [name, reason]))).toMatchObject({
      ollama: 'without a key, at 127.0.0.1:11434',
      openai: 'OPENAI_API_KEY, at api.openai.com',
      anthropic: expect.stringContaining('set ANTHROPIC_API_KEY'),
      google: 'switched off by models.providers.google.enabled',
    });
    expect(JSON.stringify(listed)).not.toContain('"k"');
  });

  it('are the first found, the config’s default, or the one named', async () => {
    await using endpoint = await modelEndpoint(() => ({ text: 'x' }));
    const providers = { anthropic: provider(endpoint.url), openai: provider(endpoint.url) };
    await using plain = startModels({ settings: { providers, order: ['openai'] } });
    await using preset = startModels({ settings: { providers, default: 'anthropic:claude-haiku-5-5' } });
    const asked = async (models: typeof plain.models, model?: string) =>
      (await models.generate({ prompt: 'x', ...(model ? { model } : {}) }, idle())).model;
    expect(await asked(plain.models)).toBe('openai:gpt-6.1-sol');
    expect(await asked(preset.models)).toBe('anthropic:claude-haiku-5-5');
    expect(await asked(plain.models, 'anthropic')).toBe('anthropic:claude-sonnet-5-5');
    expect(await asked(plain.models, 'anthropic:claude-new:beta')).toBe('anthropic:claude-new:beta');
    await expect(asked(plain.models, 'antropic:claude')).rejects.toMatchObject({
      code: 'NEXUS_NO_MODEL',
      message: expect.stringContaining('Did you mean anthropic'),
    });
    await expect(asked(plain.models, 'google')).rejects.toThrow(/google can't be used: google has no key/);
  });

  it('are chosen by the router where auto is asked for, by what was recorded', async () => {
    await using endpoint = await modelEndpoint((seen) =>
      seen.wire === 'anthropic' ? { status: 400 } : { text: 'x' },
    );
    const providers = {
      anthropic: provider(endpoint.url, { models: ['a'] }),
      openai: provider(endpoint.url, { models: ['b'] }),
    };
    const price = { input: 1, output: 1 };
    const quality = { general: 0.9 };
    await using under = startModels({
      settings: {
        providers,
        overrides: { 'anthropic:a': { price, quality }, 'openai:b': { price, quality: { general: 0.88 } } },
      },
    });
    expect((await under.models.route({})).best.model).toBe('anthropic:a');
    for (let count = 0; count < 3; count += 1)
      await under.models.generate({ prompt: 'x', model: 'anthropic' }, idle()).catch(() => {});
    const { best, alternatives } = await under.models.route({});
    expect([best.model, ...alternatives.map(({ model }) => model)]).toEqual(['openai:b', 'anthropic:a']);
    expect((await under.models.generate({ prompt: 'x', model: 'auto' }, idle())).model).toBe('openai:b');
  });

  it('leave a record of each call: model, category, tokens, cost and outcome; routing leaves none', async () => {
    await using endpoint = await modelEndpoint([
      { text: 'x', usage: { input: 1_000, output: 100 } },
      { stop: 'refusal', text: 'no' },
    ]);
    await using under = startModels(speaking(anthropic, endpoint.url));
    await under.models.route({ task: 'x' });
    expect(await under.models.outcomes()).toEqual([]);
    await under.models.generate({ prompt: 'x', category: 'code' }, idle());
    await under.models.generate({ prompt: 'x', category: 'code' }, idle()).catch(() => {});
    expect(await under.models.outcomes()).toEqual([
      {
        model: 'anthropic:claude-sonnet-5-5',
        category: 'code',
        runs: 2,
        successes: 1,
        p50LatencyMs: expect.any(Number),
        p95LatencyMs: expect.any(Number),
        inputTokens: expect.any(Number),
        outputTokens: expect.any(Number),
        costUsd: expect.any(Number),
        cancelled: 0,
        unpriced: 0,
      },
    ]);
    expect(await under.models.outcomes({ category: 'speed' })).toEqual([]);
    expect(await under.models.outcomes({ provider: 'openai' })).toEqual([]);
  });

  it.each([
    ['cancelled', new Error('no'), { runs: 0, cancelled: 1 }],
    ['out of time', new ToolError('NEXUS_TIMEOUT', 'no'), { runs: 1, cancelled: 0 }],
  ])('count a call that was %s as one whose cost is unknown', async (_, reason, counted) => {
    await using endpoint = await modelEndpoint([{ hangs: true }]);
    await using under = startModels(speaking(anthropic, endpoint.url));
    const caller = new AbortController();
    const asked = under.models.generate({ prompt: 'x' }, { signal: caller.signal });
    await vi.waitFor(() => expect(endpoint.requests).toHaveLength(1), { timeout: 20_000 });
    caller.abort(reason);
    await expect(asked).rejects.toThrow('no');
    const nothing = { successes: 0, costUsd: 0, inputTokens: 0, outputTokens: 0 };
    expect(await under.models.outcomes()).toMatchObject([{ ...nothing, ...counted, unpriced: 1 }]);
  });

  it('are asked no more at once than their provider’s limit says, and a call that waits can be cancelled', async () => {
    const gates: (() => void)[] = [];
    await using endpoint = await modelEndpoint(() => ({
      text: 'x',
      until: new Promise<void>((resolve) => void gates.push(resolve)),
    }));
    const settings = { providers: { anthropic: provider(endpoint.url, { concurrency: 2 }) } };
    await using under = startModels({ settings });
    const caller = new AbortController();
    const ask = (signal?: AbortSignal) =>
      under.models.generate({ prompt: 'x' }, signal ? { signal } : idle());
    const first = [ask(), ask()];
    await vi.waitFor(() => expect(gates).toHaveLength(2), { timeout: 20_000 });
    const waiting = ask(caller.signal);
    const last = ask();
    caller.abort(new Error('not now'));
    await expect(waiting).rejects.toThrow('not now');
    expect(endpoint.requests).toHaveLength(2);
    for (const open of gates.splice(0)) open();
    await Promise.all(first);
    await vi.waitFor(() => expect(gates).toHaveLength(1), { timeout: 20_000 });
    gates[0]?.();
    await last;
    expect(endpoint.requests).toHaveLength(3);
  });

  it('are begun no more often a minute than their provider’s rate says', async () => {
    await using endpoint = await modelEndpoint(() => ({ text: 'x' }));
    await using under = startModels({
      settings: {
        providers: {
          anthropic: provider(endpoint.url, { requestsPerMinute: 2 }),
          openai: provider(endpoint.url),
        },
      },
    });
    const caller = new AbortController();
    await Promise.all([1, 2].map(() => under.models.generate({ prompt: 'x' }, idle())));
    const third = under.models.generate({ prompt: 'x' }, { signal: caller.signal });
    // It waits for the next minute, while a call to another provider comes and goes.
    await under.models.generate({ prompt: 'x', model: 'openai' }, idle());
    caller.abort(new Error('no time'));
    await expect(third).rejects.toThrow('no time');
    expect(endpoint.requests.map(({ wire }) => wire)).toEqual(['anthropic', 'anthropic', 'openai-responses']);
  });

  it('have windows and prices with a date, which the config overrides', async () => {
    const overrides = { 'openai:gpt-6.1-sol': { price: { input: 1, output: 2 }, contextWindow: 5 } };
    await using under = startModels({
      environment: { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' },
      settings: { overrides },
    });
    const models = (await under.models.list()).flatMap((each) => each.models);
    expect(models.find(({ id }) => id === openai.model)).toMatchObject({
      price: { input: 1, output: 2 },
      contextWindow: 5,
      asOf: 'config',
    });
    expect(models.find(({ id }) => id === anthropic.model)).toMatchObject({
      price: { input: 2 },
      contextWindow: 1_000_000,
      asOf: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
  });
});
