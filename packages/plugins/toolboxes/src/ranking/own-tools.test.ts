import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BESIDE } from '../../test/beside-servers.ts';
import { catalogued } from '../../test/catalogued.ts';
import { HELD_OUT, type OwnNeed, TUNED } from '../../test/own-needs.ts';
import { rankTools } from './rank-tools.ts';

const LOCK = new URL('../../../../../governance/tools.lock.json', import.meta.url);

/** All that Nexus has itself, beside the tools of five servers. */
function everyOwnTool() {
  const { tools } = JSON.parse(readFileSync(LOCK, 'utf8')) as { tools: Record<string, { name: string }> };
  return [...Object.values(tools).map((tool) => catalogued('nexus', { ...tool })), ...BESIDE];
}

/** The shares of searches whose tool comes first, and among the first five; by both phrases, and by each alone. */
async function hitRates(needs: readonly OwnNeed[]) {
  const ranking = await rankTools(everyOwnTool());
  const shares = (searches: { queries: readonly string[]; accept: readonly string[] }[]) => {
    const ranks = searches.map(({ queries, accept }) => {
      const { hits } = ranking.search({ queries, toolboxes: [], limit: 5 });
      const rank = hits.findIndex(({ tool }) => accept.includes(tool.tool));
      return rank < 0 ? 5 : rank;
    });
    const within = (count: number) => ranks.filter((rank) => rank < count).length / ranks.length;
    return { at1: within(1), at5: within(5) };
  };
  return {
    both: shares(needs.map(([queries, ...accept]) => ({ queries, accept }))),
    each: shares(needs.flatMap(([phrases, ...accept]) => phrases.map((one) => ({ queries: [one], accept })))),
  };
}

it.each([
  ['that weights were chosen by', TUNED],
  ['that nothing was chosen by', HELD_OUT],
])('plain words %s find the tools of Nexus beside those of others', async (_, needs) => {
  const { both, each } = await hitRates(needs);
  expect(both.at1).toBeGreaterThanOrEqual(0.75);
  expect(both.at5).toBeGreaterThanOrEqual(0.98);
  expect(each.at1).toBeGreaterThanOrEqual(0.58);
  expect(each.at5).toBeGreaterThanOrEqual(0.88);
});

it.each([
  [['search code'], 'search_codebase'],
  [['search source code', 'grep code'], 'search_codebase'],
  [['remember decision', 'write memory'], 'memory_write'],
])('%j leads to %s first', async (queries, tool) => {
  const { hits } = (await rankTools(everyOwnTool())).search({ queries, toolboxes: [], limit: 1 });
  expect(hits[0]?.tool.tool).toBe(tool);
});
