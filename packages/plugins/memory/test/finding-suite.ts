import { oneByOne } from '@nexus/primitives';
import type { PluginTestOptions } from '@nexus/testing';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../vitest.characters.ts';
import { findEntries } from '../src/find-entries.ts';
import { openMemory } from '../src/memory.ts';
import { readEntries } from '../src/read-entries.ts';
import { type Answer, memoryUnderTest } from './memory-under-test.ts';

/** What each database does by statements of its own: how entries are found, and written at the same time. */
export function testFinding(name: string, options: () => Promise<PluginTestOptions>): void {
  describe(`finding in memory on ${name}`, () => {
    const under = memoryUnderTest(options);
    const { write, query, keys, pass } = under;

    it.each([
      ['a word, whatever its case and accents', 'The CAFÉ deploy', 'cafe', true],
      ['the beginning of a word', 'deployment notes', 'deploy', true],
      ['another form of a word', 'deploy it twice', 'deployed', true],
      ['a part of an identifier', 'see getUserName in user_service.ts', 'user name', true],
      ['an identifier as it is written', 'see getUserName here', 'getUserName', true],
      ['two characters of Chinese', '我们使用漢字テスト', '漢字', true],
      ['one character of Chinese, also the last', '東京都', '都', true],
      ['Thai, which has no spaces', 'สวัสดีชาวโลก', 'ชาว', true],
      ['Cyrillic', 'Выпуск по пятницам', 'выпуск', true],
      ['Hindi with its vowel signs', 'नमस्ते दुनिया', 'दुनिया', true],
      ['an emoji', 'shipped 🚀 today', '🚀', true],
      ['a number', 'port 5432 is taken', '5432', true],
      ['any one of several words', 'the queue is slow', 'why is the queue broken', true],
      ['a word that is only inside another: no', 'redeployment', 'deploy', false],
      ['an unrelated word: no', 'deployment', 'banana', false],
    ])('finds by %s', async (_name, value, text, isFound) => {
      await write('typed', 'entry', value, { metadata: { type: 'note' } });
      expect(await keys(text)).toEqual(isFound ? ['entry'] : []);
    });

    it('finds by key, tags and type, and ranks a match in the key above one in the value', async () => {
      await write('typed', 'other', 'nothing about it but kubernetes', { metadata: { type: 'note' } });
      await write('typed', 'kubernetes', 'how the cluster is set up', { metadata: { type: 'note' } });
      await write('typed', 'tagged', 'something', { metadata: { type: 'note', tags: ['flaky-tests'] } });
      await write('typed', 'padding', 'bread and butter', { metadata: { type: 'recipe' } });
      expect(await keys('kubernetes')).toEqual(['kubernetes', 'other']);
      expect(await keys('flaky')).toEqual(['tagged']);
      expect(await keys('recipe')).toEqual(['padding']);
    });

    it('keeps one type with type:, whatever stands beside it', async () => {
      await write('typed', 'a', 'use postgres', { metadata: { type: 'Decision' } });
      await write('typed', 'b', 'use sqlite', { metadata: { type: 'risk' } });
      expect(await keys('use type:decision')).toEqual(['a']);
      expect(await keys('type:decision')).toEqual(['a']);
      expect(await keys('type:none use')).toEqual([]);
    });

    it('lists the newest first when the query has no word', async () => {
      await write('agentic', 'old', 'first');
      pass(1000);
      await write('agentic', 'new', 'second');
      expect(await keys('*')).toEqual(['new', 'old']);
      expect(await keys('"?! --', { limit: 1 })).toEqual(['new']);
    });

    it('keeps to the source, cuts at the limit and says how many match', async () => {
      for (const key of ['a', 'b', 'c']) await write('agentic', key, 'cats');
      await write('belief', 'd', 'cats are liquid');
      expect(await query('cats', { source: 'agentic', limit: 2 })).toMatchObject({ count: 2, total: 3 });
      expect(await keys('cats', { source: 'belief' })).toEqual(['d']);
      expect(await query('cats')).toMatchObject({ count: 4, total: 4 });
    });

    it('gives page after page in all and in one source, each entry once', async () => {
      for (let at = 0; at < 110; at++) {
        for (const backend of ['agentic', 'belief'] as const) {
          await write(backend, `${backend} ${at}`, `cats ${'and '.repeat(at % 7)}dogs`);
        }
        pass(1000);
      }
      for (const [text, source, total] of [
        ['*', 'all', 220],
        ['cats', 'all', 220],
        ['cats', 'agentic', 110],
      ] as const) {
        const found: string[] = [];
        for (let offset: number | undefined = 0; offset !== undefined; ) {
          const page: Answer = await query(text, { source, limit: 40, offset });
          expect(page.total).toBe(total);
          found.push(...page.results.map(({ key }) => key));
          offset = page.nextOffset;
        }
        expect(found).toHaveLength(total);
        expect(new Set(found).size).toBe(total);
        const [first] = await keys(text, { source, limit: 1 });
        expect(found[0]).toBe(first);
      }
    });

    it('never has only what a hit links to in the place of the hit, so that the next page goes on', async () => {
      await write('agentic', 'linker', 'cats', { confidence: 0.1, metadata: { links: ['target'] } });
      await write('agentic', 'target', 'dogs');
      await write('agentic', 'second', 'cats here', { confidence: 0.1 });
      const seen = [];
      for (const offset of [0, 1]) seen.push(...(await keys('cats', { limit: 1, offset })));
      expect(new Set(seen)).toEqual(new Set(['linker', 'second']));
      expect(await query('cats', { limit: 2 })).toMatchObject({ nextOffset: 1 });
    });

    it('finds the new text and no longer the old one after a rewrite', async () => {
      await write('agentic', 'a', 'apples');
      await write('agentic', 'a', 'pears');
      expect(await keys('apples')).toEqual([]);
      expect(await keys('pears')).toEqual(['a']);
    });

    describe('in a memory of more entries than a search ranks', () => {
      /** As if five were ranked at most. */
      const find = async (text: string, more: { limit?: number; source?: 'belief' } = {}) => {
        const opened = { ...(await openMemory(under.plugin.host.store, oneByOne())), mostRanked: 5 };
        const search = {
          query: text,
          limit: 10,
          offset: 0,
          source: 'all',
          sessionId: '',
          ...more,
        } as const;
        const { matched: found, ...rest } = await findEntries(opened, search);
        const ids = found.map(({ id }) => id);
        const texts = await readEntries(opened, ids);
        return { ...rest, found, keys: ids.map((id) => texts.get(id)?.key) };
      };
      beforeEach(async () => {
        await write('belief', 'deploy', 'how the service is shipped');
        for (let at = 1; at <= 7; at++) {
          pass(1000);
          await write('agentic', `note ${at}`, `deploy of the service, part${at}`);
        }
        await write('agentic', 'pods', 'they fail after a deploy');
      });

      it('leaves out a word that too many entries have, and says so', async () => {
        const { keys: found, total, frequentWords } = await find('deploy pods', { limit: 1 });
        expect([found, total, frequentWords]).toEqual([['pods'], 1, ['deploy']]);
      });

      it('goes on to the frequent words where the others lead to too few', async () => {
        const { keys: found, found: hits, frequentWords } = await find('deploy service part3');
        expect(found.slice(0, 2)).toEqual(['note 3', 'note 7']);
        expect(hits.slice(0, 2).map(({ relevance }) => relevance)).toEqual([1, 0.05]);
        expect(frequentWords).toEqual([]);
      });

      it('puts a frequent word in the key first, then the newest that have all words', async () => {
        const { keys: found, total, isMore } = await find('deploy');
        expect(found[0]).toBe('deploy');
        expect(found.slice(1, 4)).toEqual(['pods', 'note 7', 'note 6']);
        expect([total, isMore]).toEqual([6, true]);
      });

      it('finds any of the frequent words where no entry has all', async () => {
        for (let at = 1; at <= 6; at++) await write('agentic', `other ${at}`, 'a backup is made');
        const { keys: found } = await find('deploy backup', { limit: 3 });
        expect(found).toHaveLength(3);
      });

      it('keeps to the source, also of what is frequent', async () => {
        expect((await find('deploy', { source: 'belief' })).keys).toEqual(['deploy']);
      });
    });

    it('takes any text as a query', async () => {
      await write('agentic', 'a', 'NEAR AND OR NOT "quoted" (x) foo* col:umn ^start + - \\ \' ; drop table');
      for (const text of [
        'NEAR(a b, 2)',
        '"',
        '""',
        "'",
        'a AND',
        '*',
        '^a',
        'col:umn',
        '-x',
        '(',
        'a"b*',
        '\\',
        '💥',
        "';--",
        ':*',
        '\u0301',
        '&|!<->',
      ]) {
        await expect(query(text)).resolves.toHaveProperty('total');
      }
      const anyText = fc.oneof(
        fc.string({ unit: anyCharacter, minLength: 1, maxLength: 500 }),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
        fc.stringMatching(/^[A-Z"'*():^+\\ -]{1,40}$/),
      );
      await fc.assert(
        fc.asyncProperty(anyText, async (text) => {
          const given = text.slice(0, 500);
          const result = await under.plugin.call('memory_query', { query: given });
          // What no database can take is refused before one sees it.
          expect(result.isError ?? false).toBe(/\0|\p{Surrogate}/u.test(given));
        }),
        { numRuns: 150 },
      );
    });

    it('takes any text as key and value, and gives it back as it was', async () => {
      const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 });
      await fc.assert(
        fc.asyncProperty(anyText, anyText, async (key, value) => {
          fc.pre(!`${key}${value}`.includes('\0'));
          await write('agentic', key, value);
          const { results } = await query('*', { source: 'agentic', limit: 100 });
          expect(results).toContainEqual(expect.objectContaining({ key, value }));
          pass(1000);
        }),
        { numRuns: 50 },
      );
    });

    it('changes nothing that a later call could see', async () => {
      await write('adaptive', 'a', 'apples');
      const first = await query('apples');
      for (let reads = 0; reads < 5; reads++) await query('apples');
      expect(await query('apples')).toEqual(first);
    });

    it('loses no version when many write at once', async () => {
      const writes = await Promise.all(
        Array.from({ length: 20 }, (_, n) => write('adaptive', 'n', `value ${n}`)),
      );
      expect(writes.map(({ version }) => version).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 20 }, (_, n) => n + 1),
      );
    });
  });
}
