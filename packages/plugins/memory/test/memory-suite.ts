import { type PluginTestOptions, testPlugin } from '@nexus/testing';
import { describe, expect, it } from 'vitest';
import memory from '../src/index.ts';
import { versionValue } from '../src/version-value.ts';
import { memoryUnderTest } from './memory-under-test.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What the plugin must do on every database, beside finding. */
export function testMemory(name: string, options: () => Promise<PluginTestOptions>): void {
  describe(`memory on ${name}`, () => {
    const under = memoryUnderTest(options);
    const { write, query, keys, said, pass } = under;

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
        const state = await memory.start({}, under.plugin.host);
        const read = (uri = '') => {
          const [entry = '', version = ''] = uri.split('/').slice(-2);
          return versionValue.read(
            { entry, version },
            { state, host: under.plugin.host, roots: async () => [] },
          );
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

      it('keeps the same key apart in different backends', async () => {
        await write('agentic', 'n', 'lesson');
        expect(await write('adaptive', 'n', 'habit')).toMatchObject({ outcome: 'created' });
        expect(await keys('lesson habit')).toEqual(['n', 'n']);
      });

      it('says that the key is in another backend, too, and not of another session’s notes', async () => {
        await under.plugin.call(
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
      const forget = (backend: string, key: string) => under.plugin.answer('memory_forget', { backend, key });

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
        expect(await under.plugin.answer('memory_stats')).toMatchObject({ total: 2 });
      });

      it('shows first what the session has not seen, and destroys nothing', async () => {
        const theirs = (value: string) =>
          under.plugin.call('memory_write', { backend: 'belief', key: 'n', value }, { sessionId: 'other' });
        await theirs('apples');
        await theirs('pears');
        const refused = await under.plugin.call('memory_forget', { backend: 'belief', key: 'n' });
        expect(refused._meta?.['nexus/error']).toMatchObject({ code: 'NEXUS_PREREQUISITE' });
        expect(refused.content[0]?.text).toMatch(/nothing was forgotten. It holds "pears" and its 1 earlier/);
        expect(await keys('pears')).toEqual(['n']);
        expect(await forget('belief', 'n')).toEqual({ forgotten: true, versions: 2 });
      });

      it('takes what the session was shown, unless it was written since', async () => {
        const theirs = (value: string) =>
          under.plugin.call(
            'memory_write',
            { backend: 'typed', key: 'n', value, metadata: { type: 'a' } },
            { sessionId: 'other' },
          );
        await theirs('apples');
        expect(await keys('apples')).toEqual(['n']);
        await theirs('pears');
        expect((await under.plugin.call('memory_forget', { backend: 'typed', key: 'n' })).isError).toBe(true);
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
        await under.plugin.call(
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
        const { backends } = await under.plugin.answer<{ backends: object[] }>('memory_stats');
        expect(backends).toContainEqual(
          expect.objectContaining({ backend: 'session', entries: 1, lapsed: 1 }),
        );
      });

      it('keeps two sessions’ notes of one key apart and puts the caller’s own first', async () => {
        const note = (value: string, sessionId: string) =>
          under.plugin.call('memory_write', { backend: 'session', key: 'now', value }, { sessionId });
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
        const refused = await under.plugin.call('memory_write', { backend: 'typed', key: 'a', value: 'b' });
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
      const plain = await under.plugin.answer<{ total: number; backends: object[] }>('memory_stats');
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
      const { backends } = await under.plugin.answer<{ backends: object[] }>('memory_stats', {
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
