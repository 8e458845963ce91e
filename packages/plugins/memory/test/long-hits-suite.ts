import type { CallContext, ToolCallResult } from '@nexus/plugin-sdk';
import { type PluginTestOptions, type PluginUnderTest, startPlugin } from '@nexus/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import memory from '../src/index.ts';

interface Answer {
  readonly results: readonly {
    readonly key: string;
    readonly value: string;
    readonly valueChars?: number;
    readonly whole?: string;
  }[];
  readonly total: number;
  readonly nextOffset?: number;
  readonly linkedLeftOut?: number;
}

/** What an answer does with hits that it has no room for, on every database; `options` gives an empty one each time. */
export function testLongHits(name: string, options: () => Promise<PluginTestOptions>): void {
  describe(`long hits of memory on ${name}`, () => {
    let plugin: PluginUnderTest;
    let now: number;
    beforeEach(async () => {
      now = Date.UTC(2030, 0, 1);
      plugin = await startPlugin(memory, { ...(await options()), testClock: () => now });
    });
    afterEach(() => plugin.stop());

    const write = (backend: string, key: string, value: string, more: Record<string, unknown> = {}) =>
      plugin.answer('memory_write', { backend, key, value, ...more });
    const query = (text: string, more: Record<string, unknown> = {}) =>
      plugin.answer<Answer>('memory_query', { query: text, ...more });
    const sizeOf = ({ content, structuredContent }: ToolCallResult) =>
      content.reduce((sum, { text = '' }) => sum + text.length, JSON.stringify(structuredContent).length);

    it.each([50_000, 10_000])(
      'gives as many long hits as a host of %i characters shows, each whole, and the next from there',
      async (maxResultChars) => {
        await plugin.stop();
        plugin = await startPlugin(memory, { ...(await options()), testClock: () => now, maxResultChars });
        const values = Array.from({ length: 25 }, (_, at) => `cats ${at} ${`"${at}" and\n`.repeat(300)}end`);
        for (const [at, value] of values.entries()) {
          await write(at % 2 ? 'agentic' : 'belief', `${at}`, value);
          now += 1000;
        }
        const seen: string[] = [];
        for (let offset: number | undefined = 0; offset !== undefined; ) {
          const result = await plugin.call('memory_query', { query: 'cats', limit: 100, offset });
          const { results, total, nextOffset } = result.structuredContent as unknown as Answer;
          expect([total, sizeOf(result) <= maxResultChars]).toEqual([25, true]);
          for (const { key, value } of results) {
            expect(value).toBe(values[Number(key)]);
            expect(result.content[0]?.text).toContain(`${value.replaceAll('\n', '\n  ')}`);
          }
          seen.push(...results.map(({ key }) => key));
          offset = nextOffset;
        }
        expect(seen.sort()).toEqual(values.map((_, at) => `${at}`).sort());
      },
    );

    it('gives the beginning of a hit that no answer holds, and where all of it is', async () => {
      const long = `cats "purr"\u0001 and\n`.repeat(1_050);
      const rows = JSON.stringify(Array.from({ length: 2_800 }, () => ['"']));
      await write('agentic', 'long', long);
      await write('belief', 'rows', rows, { confidence: 0.1 });
      const result = await plugin.call('memory_query', { query: 'cats' });
      const { results, nextOffset, total } = result.structuredContent as unknown as Answer;
      const [hit] = results;
      expect([results.length, total, nextOffset]).toEqual([1, 1, undefined]);
      expect(sizeOf(result)).toBeLessThan(45_000);
      expect(hit).toMatchObject({ key: 'long', valueChars: long.length });
      expect(hit?.value.length).toBeGreaterThan(8_000);
      // Whole lines.
      expect(long.startsWith(`${hit?.value}\n`)).toBe(true);
      expect(result.content[0]?.text).toContain(
        `[… that is its beginning; all ${long.length} characters are ${hit?.whole}, which read_result reads]`,
      );
      const kept = await plugin.host.results.read(hit?.whole ?? '', {} as CallContext);
      expect(kept?.text).toBe(long);
      const [cut] = (await query('*', { source: 'belief' })).results;
      const [note = '', json = ''] = cut?.value.split('\n') ?? [];
      expect(note).toMatch(/^\[… \d+ of \d+ characters left out; .* \d+ of 2800 …\]$/);
      expect(JSON.parse(json).length).toBeGreaterThan(50);
    });

    it('says how many linked lessons had no room', async () => {
      const links = Array.from({ length: 15 }, (_, at) => `lesson ${at}`);
      for (const key of links) await write('agentic', key, 'dogs '.repeat(600));
      await write('agentic', 'linker', 'cats', { metadata: { links } });
      const { results, total, linkedLeftOut } = await query('cats', { limit: 100 });
      expect(results.length).toBeGreaterThan(3);
      expect([total, results.length + (linkedLeftOut ?? 0)]).toEqual([16, 16]);
      expect((await plugin.call('memory_query', { query: 'cats', limit: 100 })).content[0]?.text).toMatch(
        /\n\d+ more that these link to had no room: their keys, in links, find them\.$/,
      );
    });
  });
}
