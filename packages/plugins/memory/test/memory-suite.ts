import { oneByOne } from '@nexus/primitives';
import { type PluginTestOptions, type PluginUnderTest, startPlugin, testPlugin } from '@nexus/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../vitest.characters.ts';
import { findEntries } from '../src/find-entries.ts';
import memory from '../src/index.ts';
import { openMemory } from '../src/memory.ts';
import { readEntries } from '../src/read-entries.ts';
import { versionValue } from '../src/version-value.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Hit {
  key: string;
  value: string;
  backend: string;
  score: number;
  parts: { relevance: number; confidence: number; decay: number; promotion: number; otherSession?: number };
  ageHours: number;
  version: number;
  history?: { version: number; value: string; whole?: string; confidence: number }[];
  metadata?: Record<string, unknown>;
  via?: string;
}

interface Answer {
  results: Hit[];
  count: number;
  total: number;
  nextOffset?: number;
}

/** What the plugin must do on every database; `options` gives an empty one each time. */
export function testMemory(name: string, options: () => Promise<PluginTestOptions>): void {
  describe(`memory on ${name}`, () => {
    let plugin: PluginUnderTest;
    let now: number;
    beforeEach(async () => {
      now = Date.UTC(2030, 0, 1);
      plugin = await startPlugin(memory, { ...(await options()), testClock: () => now });
    });
    afterEach(() => plugin.stop());

    const write = (backend: string, key: string, value: string, more: Record<string, unknown> = {}) =>
      plugin.answer<{ outcome: string; version: number; confidence: number; previous?: { value: string } }>(
        'memory_write',
        { backend, key, value, ...more },
      );
    const query = (text: string, more: Record<string, unknown> = {}) =>
      plugin.answer<Answer>('memory_query', { query: text, ...more });
    const keys = async (text: string, more?: Record<string, unknown>) =>
      (await query(text, more)).results.map(({ key }) => key);
    const said = async (tool: string, input: Record<string, unknown>) =>
      (await plugin.call(tool, input)).content.map(({ text }) => text).join('\n');
    const pass = (ms: number) => {
      now += ms;
    };

    describe('finding', () => {
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

      it.each([
        ['*', 'all'],
        ['cats', 'all'],
        ['cats', 'agentic'],
      ] as const)('gives page after page of %j in %s, each entry once', async (text, source) => {
        for (let at = 0; at < 110; at++) {
          for (const backend of ['agentic', 'belief'] as const) {
            await write(backend, `${backend} ${at}`, `cats ${'and '.repeat(at % 7)}dogs`);
          }
          pass(1000);
        }
        const total = source === 'all' ? 220 : 110;
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
          const opened = { ...(await openMemory(plugin.host.store, oneByOne())), mostRanked: 5 };
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
        await write(
          'agentic',
          'a',
          'NEAR AND OR NOT "quoted" (x) foo* col:umn ^start + - \\ \' ; drop table',
        );
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
            const result = await plugin.call('memory_query', { query: given });
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
    });

    describe('rewriting', () => {
      it('counts versions and shows the last three earlier ones', async () => {
        for (const value of ['one', 'two', 'three', 'four', 'five']) await write('agentic', 'n', value);
        const [hit] = (await query('five')).results;
        expect(hit).toMatchObject({ version: 5, value: 'five' });
        expect(hit?.history?.map(({ version, value }) => [version, value])).toEqual([
          [4, 'four'],
          [3, 'three'],
          [2, 'two'],
        ]);
        expect(hit?.history?.[0]).not.toHaveProperty('valueChars');
        await write('agentic', 'n', 'x'.repeat(301));
        await write('agentic', 'n', 'last');
        const [last] = (await query('last')).results;
        expect(last?.history?.[0]).toMatchObject({ value: 'x'.repeat(300), valueChars: 301 });
        const state = await memory.start({}, plugin.host);
        const read = (uri = '') => {
          const [entry = '', version = ''] = uri.split('/').slice(-2);
          return versionValue.read({ entry, version }, { state, host: plugin.host, roots: async () => [] });
        };
        expect(await read(last?.history?.[0]?.whole)).toBe('x'.repeat(301));
        await expect(read('nexus://memory/1/99')).rejects.toThrow('There is no 99 of entry 1');
        await expect(read('nexus://memory/x/1')).rejects.toThrow('There is no 1 of entry x');
      });

      it('says whether it made, confirmed or replaced, and what was replaced', async () => {
        expect(await write('agentic', 'n', 'one')).toMatchObject({ outcome: 'created', version: 1 });
        expect(await write('agentic', 'n', 'one')).toMatchObject({ outcome: 'confirmed', version: 2 });
        expect(await write('agentic', 'n', 'two')).toMatchObject({
          outcome: 'replaced',
          version: 3,
          previous: { value: 'one', confidence: 1 },
        });
      });

      it('loses no version when many write at once', async () => {
        const writes = await Promise.all(
          Array.from({ length: 20 }, (_, n) => write('adaptive', 'n', `value ${n}`)),
        );
        expect(writes.map(({ version }) => version).sort((a, b) => a - b)).toEqual(
          Array.from({ length: 20 }, (_, n) => n + 1),
        );
      });

      it('keeps the same key apart in different backends', async () => {
        await write('agentic', 'n', 'lesson');
        expect(await write('adaptive', 'n', 'habit')).toMatchObject({ outcome: 'created' });
        expect(await keys('lesson habit')).toEqual(['n', 'n']);
      });

      it('says that the key is in another backend, too, and not of another session’s notes', async () => {
        await plugin.call(
          'memory_write',
          { backend: 'session', key: 'n', value: 'theirs' },
          { sessionId: 'other' },
        );
        expect(await write('agentic', 'n', 'lesson')).not.toHaveProperty('elsewhere');
        await write('session', 'n', 'mine');
        await write('belief', 'n', 'claim');
        expect(await write('adaptive', 'n', 'habit')).toMatchObject({
          elsewhere: ['agentic', 'belief', 'session'],
        });
        expect(
          await said('memory_write', { backend: 'belief', key: 'n', value: 'other', confidence: 0.8 }),
        ).toBe(
          'replaced, version 2, confidence 0.8. Before: claim\nThe key is in adaptive and agentic and session too, which this leaves as it is.',
        );
      });
    });

    describe('forgetting', () => {
      const forget = (backend: string, key: string) => plugin.answer('memory_forget', { backend, key });

      it('takes the key out with all that it held, and leaves other backends and keys', async () => {
        for (const value of ['apples', 'pears']) await write('agentic', 'n', value);
        await write('belief', 'n', 'apples');
        await write('agentic', 'm', 'apples');
        expect(await forget('agentic', 'n')).toEqual({ forgotten: true, versions: 2 });
        const { results } = await query('apples pears');
        expect(results.map(({ backend, key }) => `${backend} ${key}`).sort()).toEqual([
          'agentic m',
          'belief n',
        ]);
        expect(await plugin.answer('memory_stats')).toMatchObject({ total: 2 });
      });

      it('shows first what the session has not seen, and destroys nothing', async () => {
        const theirs = (value: string) =>
          plugin.call('memory_write', { backend: 'belief', key: 'n', value }, { sessionId: 'other' });
        await theirs('apples');
        await theirs('pears');
        const refused = await plugin.call('memory_forget', { backend: 'belief', key: 'n' });
        expect(refused._meta?.['nexus/error']).toMatchObject({ code: 'NEXUS_PREREQUISITE' });
        expect(refused.content[0]?.text).toMatch(/nothing was forgotten. It holds "pears" and its 1 earlier/);
        expect(await keys('pears')).toEqual(['n']);
        expect(await forget('belief', 'n')).toEqual({ forgotten: true, versions: 2 });
      });

      it('takes what the session was shown, unless it was written since', async () => {
        const theirs = (value: string) =>
          plugin.call(
            'memory_write',
            { backend: 'typed', key: 'n', value, metadata: { type: 'a' } },
            { sessionId: 'other' },
          );
        await theirs('apples');
        expect(await keys('apples')).toEqual(['n']);
        await theirs('pears');
        expect((await plugin.call('memory_forget', { backend: 'typed', key: 'n' })).isError).toBe(true);
        expect(await forget('typed', 'n')).toMatchObject({ forgotten: true });
        await theirs('plums');
        expect(await keys('plums')).toEqual(['n']);
        expect(await forget('typed', 'n')).toMatchObject({ forgotten: true });
      });

      it('leaves nothing that a key written anew would bring back', async () => {
        for (const value of ['apples', 'pears']) await write('adaptive', 'n', value);
        await forget('adaptive', 'n');
        expect(await write('adaptive', 'n', 'plums')).toMatchObject({ outcome: 'created', version: 1 });
        expect(await keys('apples pears')).toEqual([]);
        expect((await query('plums')).results[0]).not.toHaveProperty('history');
      });

      it('says that there was nothing, and that another session’s note is not the caller’s', async () => {
        await plugin.call(
          'memory_write',
          { backend: 'session', key: 'n', value: 'theirs' },
          { sessionId: 'other' },
        );
        expect(await forget('session', 'n')).toEqual({ forgotten: false, versions: 0 });
        expect(await forget('typed', 'none')).toEqual({ forgotten: false, versions: 0 });
        expect(await keys('theirs')).toEqual(['n']);
      });
    });

    describe('the text of an answer', () => {
      it('is the key and the value of each hit, with what says how far to trust it', async () => {
        await write('agentic', 'build', 'pnpm build');
        await write('belief', 'db', 'it is mysql', { confidence: 0.9 });
        await write('belief', 'db', 'it is postgres', { confidence: 0.8, metadata: { tags: ['build'] } });
        pass(30 * HOUR_MS);
        expect(await said('memory_query', { query: 'build' })).toBe(
          'build (agentic, 1 d): pnpm build\ndb (belief, 1 d, confidence 0.8, version 2, before: it is mysql, {"tags":["build"]}): it is postgres',
        );
      });

      it('says how many more there are, and that there is nothing', async () => {
        expect(await said('memory_query', { query: 'build' })).toBe('Nothing.');
        for (const key of ['a', 'b', 'c']) await write('agentic', key, 'pnpm build');
        expect(await said('memory_query', { query: 'build', limit: 1 })).toBe(
          '1 of 3; offset 1 gives the next.\nc (agentic, now): pnpm build',
        );
      });
    });

    describe('session', () => {
      it('is named by no write of its key once it has lapsed, as no query finds it', async () => {
        await write('session', 'n', 'mine');
        pass(23 * HOUR_MS);
        expect(await write('agentic', 'n', 'lesson')).toMatchObject({ elsewhere: ['session'] });
        pass(HOUR_MS);
        expect(await write('agentic', 'n', 'lesson')).not.toHaveProperty('elsewhere');
      });

      it('halves in 4 hours and is gone after a day, though stats still count it', async () => {
        await write('session', 'now', 'reading the router');
        pass(4 * HOUR_MS);
        expect((await query('router')).results[0]).toMatchObject({ parts: { decay: 0.5 }, ageHours: 4 });
        pass(20 * HOUR_MS);
        expect(await query('router')).toEqual({ results: [], count: 0, total: 0 });
        const { backends } = await plugin.answer<{ backends: object[] }>('memory_stats');
        expect(backends).toContainEqual(
          expect.objectContaining({ backend: 'session', entries: 1, lapsed: 1 }),
        );
      });

      it('keeps two sessions’ notes of one key apart and puts the caller’s own first', async () => {
        const note = (value: string, sessionId: string) =>
          plugin.call('memory_write', { backend: 'session', key: 'now', value }, { sessionId });
        await note('mine is testing', 'test');
        pass(1000);
        await note('theirs is testing', 'other');
        const { results } = await query('testing');
        expect(results.map(({ value, parts }) => [value, parts.otherSession])).toEqual([
          ['mine is testing', undefined],
          ['theirs is testing', 0.5],
        ]);
      });
    });

    describe('belief', () => {
      it('starts at 0.7, gains when said again and keeps less when contradicted without a word on how sure that is', async () => {
        expect(await write('belief', 'db', 'it is postgres')).toMatchObject({ confidence: 0.7 });
        const confirmed = await write('belief', 'db', 'it is postgres', { confidence: 0.5 });
        expect(confirmed.confidence).toBeCloseTo(1 - 0.3 * 0.5, 9);
        const contradicted = await write('belief', 'db', 'it is sqlite');
        expect(contradicted.confidence).toBeCloseTo(0.7 * (1 - 0.85 / 2), 9);
        expect(contradicted.previous).toMatchObject({ value: 'it is postgres' });
        const [hit] = (await query('db')).results;
        expect(hit?.history?.map(({ value, confidence }) => [value, confidence])).toEqual([
          ['it is postgres', 0.85],
          ['it is postgres', 0.7],
        ]);
      });

      it('is never certain by being said again, and never said to be', async () => {
        const repeat = () => write('belief', 'db', 'it is postgres', { confidence: 0.95 });
        await repeat();
        for (const sure of ['>0.99', '>0.99']) {
          await repeat();
          expect(await said('memory_query', { query: 'postgres' })).toContain(`confidence ${sure},`);
        }
        for (let again = 0; again < 15; again++) expect((await repeat()).confidence).toBeLessThan(1);
        expect((await query('postgres')).results[0]?.parts.confidence).toBe(0.9999);
        const written = await write('belief', 'db', 'it is postgres', { confidence: 1 });
        expect(written.confidence).toBe(1);
      });

      it('corrected keeps the confidence that was stated', async () => {
        await write('belief', 'db', 'it is postgres', { confidence: 0.9 });
        expect(await write('belief', 'db', 'it is sqlite', { confidence: 0.95 })).toMatchObject({
          outcome: 'replaced',
          confidence: 0.95,
        });
      });

      it('ranks a surer statement first', async () => {
        await write('belief', 'a', 'cats purr', { confidence: 0.2 });
        await write('belief', 'b', 'cats purr', { confidence: 0.9 });
        expect(await keys('cats')).toEqual(['b', 'a']);
      });
    });

    describe('agentic', () => {
      it('brings the lessons that a hit links to, at half its relevance, and says by which', async () => {
        await write('agentic', 'wal', 'checkpoint before you copy the file');
        await write('agentic', 'backup', 'run the nightly backup', { metadata: { links: ['wal', 'none'] } });
        const { results, total } = await query('nightly');
        expect(total).toBe(2);
        expect(results.map(({ key, via, parts }) => [key, via, parts.relevance])).toEqual([
          ['backup', undefined, 1],
          ['wal', 'backup', 0.5],
        ]);
      });
    });

    describe('typed', () => {
      it('needs a type and never ages', async () => {
        const refused = await plugin.call('memory_write', { backend: 'typed', key: 'a', value: 'b' });
        expect(refused._meta).toMatchObject({ 'nexus/error': { code: 'NEXUS_INVALID_ARGUMENTS' } });
        await write('typed', 'a', 'use sqlite', { metadata: { type: 'decision', owner: 'ann' } });
        pass(1000 * DAY_MS);
        const [hit] = (await query('sqlite')).results;
        expect(hit).toMatchObject({ parts: { decay: 1 }, metadata: { type: 'decision', owner: 'ann' } });
      });
    });

    describe('adaptive', () => {
      it('fades in a week, but each rewrite promotes it and doubles its half-life', async () => {
        await write('adaptive', 'once', 'lint first');
        for (const value of ['test first', 'test first', 'test first'])
          await write('adaptive', 'often', value);
        pass(7 * DAY_MS);
        const { results } = await query('first');
        expect(results.map(({ key, parts }) => [key, parts.promotion, parts.decay])).toEqual([
          ['often', 1.5, 0.8409],
          ['once', 1, 0.5],
        ]);
      });
    });

    it('states a score that is the product of its parts', async () => {
      await write('belief', 'a', 'cats purr', { confidence: 0.6 });
      pass(45 * DAY_MS);
      const [hit] = (await query('cats')).results;
      expect(hit?.parts.decay).toBeCloseTo(0.5 ** 0.5, 4);
      expect(hit?.score).toBeCloseTo(1 * 0.6 * 0.5 ** 0.5, 3);
    });

    it('counts what there is, and how fresh and how promoted it is', async () => {
      for (const value of ['x', 'x', 'x', 'x', 'x']) await write('adaptive', 'strong', value);
      await write('adaptive', 'plain', 'größe');
      pass(21 * DAY_MS);
      await write('agentic', 'a', 'new');
      const plain = await plugin.answer<{ total: number; backends: object[] }>('memory_stats');
      expect(plain.total).toBe(3);
      expect(plain.backends).toContainEqual({
        backend: 'adaptive',
        entries: 2,
        versions: 6,
        bytes: 1 + 7,
        oldest: '2030-01-01T00:00:00.000Z',
        newest: '2030-01-01T00:00:00.000Z',
        averageConfidence: 1,
      });
      expect(plain.backends).toContainEqual({ backend: 'belief', entries: 0, versions: 0, bytes: 0 });
      const { backends } = await plugin.answer<{ backends: object[] }>('memory_stats', {
        includeDecay: true,
        includePromotion: true,
      });
      expect(backends).toContainEqual(
        expect.objectContaining({
          backend: 'adaptive',
          decay: { fresh: 1, fading: 0, faded: 1 },
          promotion: { plain: 1, raised: 0, strong: 1 },
        }),
      );
    });
  });
}

/** The contract that every plugin keeps, on this database. */
export function testContract(options: PluginTestOptions): void {
  testPlugin(memory, {
    ...options,
    goodCalls: {
      memory_write: { backend: 'typed', key: 'database', value: 'SQLite', metadata: { type: 'decision' } },
      memory_query: { query: 'sqlite', source: 'typed' },
      memory_stats: { includeDecay: true, includePromotion: true },
      memory_forget: { backend: 'typed', key: 'database' },
    },
  });
}
