import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { NEEDS_DATA, type Need, realCatalogues } from '../../test/real-catalogues.ts';
import { hitList } from '../answers/hit-list.ts';
import { hitsText } from '../answers/hits-text.ts';
import { rankTools, type ToolSearch } from './rank-tools.ts';

const data = realCatalogues();

/** The share of needs with a tool that does the job among the first hits that an answer shows, and what it costs. */
async function hitRates(searchOf: (need: Need) => Pick<ToolSearch, 'queries' | 'toolboxes'>) {
  const { tools, needs } = data ?? { tools: [], needs: [] };
  const ranking = await rankTools(tools);
  const answers = needs.map((need) => {
    const found = ranking.search({ ...searchOf(need), limit: 5 });
    const answer = hitList(found, []);
    const rank = answer.hits.findIndex((hit) =>
      need.accept.some((each) => each.server === hit.server && each.tool === hit.tool),
    );
    const tokens = countTokens(hitsText(answer));
    return { rank: rank === -1 ? Number.POSITIVE_INFINITY : rank, fits: found.fits, tokens };
  });
  const within = (count: number) => answers.filter(({ rank }) => rank < count).length / answers.length;
  const tokens = answers.map((answer) => answer.tokens).sort((a, b) => a - b);
  return {
    at1: within(1),
    at5: within(5),
    unfit: answers.filter(({ fits }) => !fits).length,
    medianTokens: tokens[Math.floor(tokens.length / 2)],
  };
}

describe.skipIf(!data)(`over thousands of tools of real servers ${NEEDS_DATA}`, () => {
  it('what a host’s model asks for finds the tool', async () => {
    const { at1, at5, unfit, medianTokens } = await hitRates(({ agent }) => agent);
    expect(at1).toBeGreaterThanOrEqual(0.93);
    expect(at5).toBeGreaterThanOrEqual(0.98);
    expect(unfit).toBe(0);
    expect(medianTokens).toBeLessThanOrEqual(800);
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
    expect(at5).toBeGreaterThanOrEqual(0.48);
  });
});
