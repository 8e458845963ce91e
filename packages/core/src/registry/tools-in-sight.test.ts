import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fixtureTool } from '../../test/fixture-tools.ts';
import { scopeOf } from '../../test/scope-of.ts';
import { createRegistry } from './registry.ts';
import { toolsInSight } from './tools-in-sight.ts';

const input = z.object({
  query: z.string().min(1).describe('The text to look for.'),
  limit: z.number().int().max(100).optional().describe('At most this many hits.'),
});

describe('what tools see of each other', () => {
  it('tells what a call would be refused for, and nothing where it would pass', async () => {
    const registry = createRegistry();
    registry.register(fixtureTool({ name: 'search', input }));
    const { check } = toolsInSight(registry, scopeOf('s'));
    expect(await check('search', { query: 'x', limit: 5 })).toEqual([]);
    // Repaired, as in a call.
    expect(await check('search', { query: 'x', limit: '5' })).toEqual([]);
    expect(await check('search', { qurey: 'x', limit: 500 })).toEqual([
      { path: 'query', message: 'is missing. The text to look for.' },
      { path: 'limit', message: expect.stringContaining('100') },
      { path: 'qurey', message: 'no such argument; did you mean query?' },
    ]);
    expect(await check('other', {})).toEqual([]);
  });

  it('is nothing of a tool that the config denies, a session’s own among them', async () => {
    const registry = createRegistry({ refusal: ({ name }) => (name.startsWith('no_') ? 'no' : undefined) });
    registry.register(fixtureTool({ name: 'search', input }));
    registry.register(fixtureTool({ name: 'no_search', input }));
    registry.setForSession(scopeOf('s'), 'box', [
      fixtureTool({ name: 'no_box' }),
      fixtureTool({ name: 'box' }),
    ]);
    const { find, list, check } = toolsInSight(registry, scopeOf('s'));
    expect(list().map(({ name }) => name)).toEqual(['box', 'search']);
    expect([find('search')?.name, find('box')?.name]).toEqual(['search', 'box']);
    expect([find('no_search'), find('no_box')]).toEqual([undefined, undefined]);
    expect(await check('no_search', {})).toEqual([]);
  });
});
