import type { CallContext } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { queryRegistry } from './query-registry.ts';
import { type Entry, Paper, Reference } from './registry/entries.ts';
import type { Contents } from './registry/registry.ts';
import { reviewCatalog } from './review-catalog.ts';
import type { ResearchState } from './state.ts';

const contents: Contents = {
  papers: Array.from({ length: 5 }, (_, at) =>
    Paper.parse({ id: `doi:10.1000/p.${at}`, title: `Green roofs hold water ${'well '.repeat(at)}` }),
  ),
  sources: [],
  techniques: Array.from(
    { length: 5 },
    (_, at): Entry<'techniques'> => ({
      id: `t-${at}`,
      name: `Green roofs ${at}`,
      status: 'idea',
      papers: [],
    }),
  ),
  catalog: Array.from({ length: 5 }, (_, at) => Reference.parse({ id: `doi:10.1000/c.${at}` })),
};

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
}

async function pagesOf(read: (page: { limit: number; offset: number }) => Promise<Page>, total: number) {
  const ids: unknown[] = [];
  for (let offset = 0; offset < total; offset += 2) {
    const page = await read({ limit: 2, offset });
    expect(page.total).toBe(total);
    expect(page.items).toHaveLength(Math.min(2, total - offset));
    ids.push(...page.items.map(({ id }) => id));
  }
  expect(new Set(ids).size).toBe(total);
}

it.each([
  ['search', undefined, 10],
  ['search', 'green roofs', 10],
  ['overlap', 'green roofs hold water', 10],
  ['status', undefined, 5],
] as const)(
  '%s of %j gives page after page of all that there is, each once',
  async (action, query, total) => {
    await pagesOf(async (page) => {
      const answer = queryRegistry({ action, query, threshold: 0.01, ...page }, contents);
      if (!('results' in answer)) throw new Error('no results');
      return { items: answer.results, total: answer.total };
    }, total);
  },
);

it('lists the catalog page by page', async () => {
  const state = { registry: async () => ({ read: async () => contents }) };
  const host = { results: { maxChars: 25_000 } };
  const context = { state, host } as unknown as CallContext<ResearchState>;
  await pagesOf(async (page) => {
    const { entries, total } = await reviewCatalog({ action: 'list', ...page }, context);
    return { items: entries, total };
  }, 5);
});
