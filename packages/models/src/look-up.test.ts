import { modelEndpoint } from '@nexus/testing';
import { describe, expect, it } from 'vitest';
import { idle, speaking, startModels, WIRES } from '../test/models-under-test.ts';

const offered = ['one', 'two', 'three', 'new-model-9', 'five'];

describe.each(WIRES)('a model that is looked up by $wire', (wire) => {
  const [provider = ''] = wire.model.split(':');

  it('is found on any page of its provider’s list, with what that says of it', async () => {
    await using endpoint = await modelEndpoint([], { offered });
    await using under = startModels(speaking(wire, endpoint.url));
    const found = await under.models.lookUp({ provider, name: 'new-model-9' }, idle());
    expect(found).toMatchObject({
      isOffered: true,
      offered: 5,
      nearest: [],
      entry: { id: `${provider}:new-model-9`, provider, name: 'new-model-9' },
    });
    expect(found.entry.contextWindow).toBe(wire.wire === 'google' ? 4096 : undefined);
    expect(await under.models.lookUp({ provider, name: 'new-model-8' }, idle())).toMatchObject({
      isOffered: false,
      nearest: ['new-model-9'],
    });
    expect(await under.models.outcomes()).toEqual([]);
  });

  it('is unavailable where its provider can’t be asked', async () => {
    const endpoint = await modelEndpoint([]);
    await using under = startModels(speaking(wire, endpoint.url));
    await endpoint[Symbol.asyncDispose]();
    await expect(under.models.lookUp({ provider, name: 'one' }, idle())).rejects.toMatchObject({
      code: 'NEXUS_MODEL_UNAVAILABLE',
    });
  });
});
