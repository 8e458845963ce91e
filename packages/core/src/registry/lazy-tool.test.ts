import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { lazyTool } from './lazy-tool.ts';
import { listTool } from './listed-tool.ts';
import { pluginTool } from './plugin-tool.ts';

const tool = {
  name: 'double',
  title: 'Double',
  description: 'Doubles.',
  input: z.object({ value: z.number().describe('A number') }),
  output: z.object({ value: z.number() }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  budget: 'interactive' as const,
  isResumable: true,
  isListedWhenLean: true,
  requires: ['other'],
  call: async ({ value }: { value: number }) => ({ value: value * 2 }),
};
const runtime = { name: 'numbers', host: undefined as never, state: async () => undefined };
const made = pluginTool(tool, runtime);

describe('a tool that is made by its first call', () => {
  it('is listed and admitted as the tool itself, by what JSON can carry', () => {
    const listed = JSON.parse(JSON.stringify(listTool(tool)));
    const lazy = lazyTool(listed, 'numbers', async () => made);
    const { name, plugin, listing, hints, budget, isLong, isResumable, isListedWhenLean, requires } = lazy;
    expect({ name, plugin, listing, hints, budget, isLong, isResumable, isListedWhenLean, requires }).toEqual(
      {
        name: made.name,
        plugin: made.plugin,
        listing: made.listing,
        hints: made.hints,
        budget: made.budget,
        isLong: made.isLong,
        isResumable: made.isResumable,
        isListedWhenLean: made.isListedWhenLean,
        requires: made.requires,
      },
    );
  });

  it('is made once, by the first of two calls at once, and is then there', async () => {
    const make = vi.fn(async () => made);
    const lazy = lazyTool(listTool(tool), 'numbers', make);
    expect(() => lazy.validate({})).toThrow('load()');
    await Promise.all([lazy.load?.(), lazy.load?.()]);
    expect(make).toHaveBeenCalledTimes(1);
    expect(lazy.load?.()).toBeUndefined();
    expect(lazy.validate({ value: 2 })).toEqual({ ok: true, value: { value: 2 } });
    expect(lazy.fits('value', 'x')).toBe(false);
    expect(lazy.fitsOutput?.({ value: 4 })).toBe(true);
  });

  it('is tried again by the next call where it can’t be made', async () => {
    const make = vi.fn(async () => made).mockRejectedValueOnce(new Error('no such file'));
    const lazy = lazyTool(listTool(tool), 'numbers', make);
    await expect(lazy.load?.()).rejects.toThrow('no such file');
    await lazy.load?.();
    expect(lazy.validate({ value: 2 }).ok).toBe(true);
  });
});
