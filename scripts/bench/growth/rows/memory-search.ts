import { join } from 'node:path';
import { sql } from 'kysely';
import { createStore } from '../../../../packages/store/src/index.ts';
import { cpuOf, longestStretch } from '../../cpu.ts';
import { makeScratch, type Scratch } from '../../subjects.ts';
import { call } from '../call.ts';
import type { GrowthRow } from '../row.ts';

const sizes = [10_000, 30_000, 100_000] as const;
const smallSizes = [1_000, 3_000, 9_000] as const;

/** One word that all entries have, several of them, rare beside common ones, rare ones only, and the newest. */
const QUERIES = [
  'service',
  'deploy of the service to staging',
  'why does deploy fail for word1200 and word77',
  'word1200 word1300 word1400',
  '*',
] as const;
const AT_ONCE = 10;

export const memorySearch: GrowthRow = {
  name: 'memory-search',
  what: 'Entries in memory: a search',
  method: `So many entries of some thirty words, of which all have three in common. ${QUERIES.length} searches, by words that all have, by rare ones, and by both, ${AT_ONCE} times over; CPU time of the server for each, its start of the work not counted.`,
  unit: 'ms',
  sizes,
  smallSizes,
  atMost: 50,
  measure: (size) =>
    withEntries(size, async (scratch) => {
      const host = await scratch.startShared();
      const searches = async (times: number) => {
        for (let at = 0; at < times; at += 1) for (const query of QUERIES) await search(host, query);
      };
      try {
        await searches(1);
        return (await cpuOf(host.pid, () => searches(AT_ONCE))) / (AT_ONCE * QUERIES.length);
      } finally {
        await host.stop();
      }
    }),
};

export const memoryWait: GrowthRow = {
  name: 'memory-wait',
  what: 'Entries in memory: what a host waits while another searches',
  method: `The same entries. While a second host asks for ${AT_ONCE} searches at once, the first one pings all the time; the most that the server’s thread worked between two answers to it.`,
  unit: 'ms',
  sizes,
  smallSizes,
  atMost: 50,
  measure: (size) =>
    withEntries(size, async (scratch) => {
      const owner = await scratch.startShared();
      const other = await scratch.startShared();
      try {
        await search(other, 'service');
        return await longestStretch(owner, () =>
          Promise.all(
            Array.from({ length: AT_ONCE }, (_, at) => search(other, QUERIES[at % QUERIES.length] ?? '*')),
          ),
        );
      } finally {
        await other.stop();
        await owner.stop();
      }
    }),
};

type Host = Awaited<ReturnType<Scratch['startShared']>>;

async function search(host: Host, query: string): Promise<void> {
  const { structuredContent } = await call(host, 'memory_query', { query, limit: 10 });
  const { count } = structuredContent as { readonly count: number };
  if (count === 0) throw new Error(`a search for ${query} found nothing`);
}

/** A project whose memory has so many entries. Written past the tool, which would take minutes. */
async function withEntries(size: number, measure: (scratch: Scratch) => Promise<number>): Promise<number> {
  using scratch = makeScratch({ limits: { callsPerSecond: 10_000, burst: 100_000 } });
  const first = await scratch.startShared();
  await call(first, 'memory_write', { backend: 'agentic', key: 'first', value: 'makes the tables' });
  await first.stop();
  await fill(join(scratch.projectDir, '.data'), size);
  return await measure(scratch);
}

async function fill(dataDir: string, size: number): Promise<void> {
  const store = createStore({ projectId: 'bench', dataDir });
  const now = Date.now();
  const backends = ['agentic', 'belief', 'adaptive', 'session'];
  try {
    const db = await store.open('bench', []);
    await db.transaction().execute(async (trx) => {
      for (let at = 2; at <= size; at += 1) {
        const [key, then] = [`note ${at}`, now - at * 500];
        const value = `the service after a deploy to staging ${someWords(at)}`;
        await sql`insert into memory_entries
          (id, backend, scope, key, value, bytes, metadata, type, confidence, version, created_at, updated_at)
          values (${at}, ${backends[at % 4]}, '', ${key}, ${value}, ${value.length}, '{}', '', 0.8, 1, ${then}, ${then})`.execute(
          trx,
        );
        await sql`insert into memory_search (rowid, key, value, labels) values (${at}, ${key}, ${value}, '')`.execute(
          trx,
        );
      }
    });
  } finally {
    await store.close();
  }
}

/** Thirty of 2 000 words, the first ones far oftener than the last, the same for the same entry. */
function someWords(entry: number): string {
  let state = entry;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return Array.from({ length: 30 }, () => `word${Math.floor(2_000 ** next())}`).join(' ');
}
