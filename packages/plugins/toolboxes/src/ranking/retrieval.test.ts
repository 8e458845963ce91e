import { describe, expect, it } from 'vitest';
import { NEEDS_DATA, type Need, realCatalogues } from '../../test/real-catalogues.ts';
import { rankTools, type ToolSearch } from './rank-tools.ts';

const data = realCatalogues();

/** The share of needs with a tool that does the job among the first hits. */
async function hitRates(searchOf: (need: Need) => Pick<ToolSearch, 'queries' | 'toolboxes'>) {
  const { tools, needs } = data ?? { tools: [], needs: [] };
  const ranking = await rankTools(tools);
  let unfit = 0;
  const ranks = needs.map((need) => {
    const { hits, fits } = ranking.search({ ...searchOf(need), limit: 10 });
    if (!fits) unfit += 1;
    const rank = hits.findIndex(({ tool }) =>
      need.accept.some((each) => each.server === tool.server && each.tool === tool.tool),
    );
    return rank === -1 ? Number.POSITIVE_INFINITY : rank;
  });
  const within = (count: number) => ranks.filter((rank) => rank < count).length / ranks.length;
  return { at1: within(1), at5: within(5), unfit };
}

describe.skipIf(!data)(`over thousands of tools of real servers ${NEEDS_DATA}`, () => {
  it('what a host’s model asks for finds the tool', async () => {
    const { at1, at5, unfit } = await hitRates(({ agent }) => agent);
    expect(at1).toBeGreaterThanOrEqual(0.9);
    expect(at5).toBeGreaterThanOrEqual(0.98);
    expect(unfit).toBe(0);
  });

  it.each([
    [['order pizza', 'deliver lunch']],
    [['play music', 'start song playback']],
    [['book flight', 'reserve airline ticket']],
    [['sequence dna', 'genome alignment']],
  ])('what no server does is said to fit nothing: %j', async (queries) => {
    const ranking = await rankTools(data?.tools ?? []);
    expect(ranking.search({ queries, toolboxes: [], limit: 5 })).toMatchObject({ fits: false });
  });

  it('a need in a person’s words finds it about as often as not', async () => {
    const { at5 } = await hitRates(({ query }) => ({ queries: [query], toolboxes: [] }));
    expect(at5).toBeGreaterThanOrEqual(0.45);
  });
});
