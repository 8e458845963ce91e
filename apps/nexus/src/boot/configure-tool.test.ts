import { pluginTool } from '@nexus/core/definitions';
import { defineTool, type Host } from '@nexus/plugin-sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { configureTool } from './configure-tool.ts';

const definition = defineTool({
  name: 'find_things',
  title: 'Find things',
  description: 'Finds things.',
  input: z.object({
    query: z.string().max(50).describe('What'),
    limit: z.int().max(50).default(10).describe('How many'),
  }),
  output: z.object({}),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive',
  call: async () => ({}),
});

const tool = pluginTool(definition, { name: 'things', host: {} as Host, state: async () => undefined });

describe('configureTool', () => {
  it('leaves a tool alone that has no defaults in the config', () => {
    expect(configureTool(tool, { enabled: true, listed: false, defaults: {} })).toBe(tool);
  });

  it('uses a default where the call leaves the argument out, and only there', () => {
    const configured = configureTool(tool, {
      enabled: true,
      listed: false,
      defaults: { query: 'all', limit: 5 },
    });
    expect(configured.validate({})).toEqual({ ok: true, value: { query: 'all', limit: 5 } });
    expect(configured.validate({ limit: 7 })).toEqual({ ok: true, value: { query: 'all', limit: 7 } });
  });

  it('states the default in the schema that hosts see, where it is required no more', () => {
    const { inputSchema } = configureTool(tool, {
      enabled: true,
      listed: false,
      defaults: { query: 'all' },
    }).listing;
    expect(inputSchema).toMatchObject({ required: [], properties: { query: { default: 'all' } } });
  });
});
