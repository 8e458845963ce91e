import { setTimeout as sleep } from 'node:timers/promises';
import { rankTools } from '@nexus/plugin-toolboxes/ranking';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Figure, Measure } from '../figure.ts';
import { type Need, type RealCatalogues, realCatalogues } from '../real-catalogues.ts';
import { inRehearsal } from '../rehearsal.ts';
import type { StdioServer } from '../servers.ts';
import { median } from '../statistics.ts';
import { makeScratch } from '../subjects.ts';

const ROUNDS = inRehearsal(1, 5);
const MOST_HITS = 20;
const LIST_TIMEOUT_MS = 240_000;
const RETRY_MS = 1000;

export const findTools: Measure = {
  name: 'find-tools',
  method: `64 real servers, replayed, one a toolbox, and 80 needs, each with the tools that do the job. find_tools of a running Nexus is asked for each, by what a host's model wrote for it and by the need's own words; a hit is such a tool among the first 1 or 5. The tokens of its answers as the model reads them (o200k), by the model's queries: the median with the default limit, the largest with any limit up to ${MOST_HITS}. The time of a search is that of the ranking alone, median of ${ROUNDS} rounds after one to warm up.`,
  async run() {
    const data = realCatalogues();
    if (!data) {
      process.stdout.write('The catalogues of real servers are not here (NEXUS_TEST_DATA): left out.\n');
      return [];
    }
    const searchMs = await searchTime(data);
    using scratch = makeScratch({
      limits: { callsPerSecond: 10_000, burst: 100_000 },
      toolboxes: data.toolboxes,
    });
    const nexus = await scratch.startNexus();
    try {
      await untilListed(nexus);
      const byAgent = await askAll(nexus, data.needs, ({ agent }) => agent);
      const byNeed = await askAll(nexus, data.needs, ({ query }) => ({ queries: [query] }));
      const longest = await askAll(nexus, data.needs, ({ agent }) => ({ ...agent, limit: MOST_HITS }));
      const tokens = byAgent.map((answer) => answer.tokens);
      return [
        {
          what: `Search among ${data.tools.length.toLocaleString('en-US')} tools`,
          unit: 'ms',
          nexus: searchMs,
          target: { of: 'value', atMost: 2 },
        },
        hitFigure('By a model’s queries: hit@1', hitRate(byAgent, 1), 0.93),
        hitFigure('By a model’s queries: hit@5', hitRate(byAgent, 5), 0.98),
        hitFigure('By a person’s own words: hit@5', hitRate(byNeed, 5), 0.45),
        tokenFigure('An answer of find_tools, median', median(tokens), 800),
        tokenFigure(
          'An answer of find_tools, largest',
          Math.max(...tokens, ...longest.map((answer) => answer.tokens)),
          1_200,
        ),
      ];
    } finally {
      await nexus.stop();
    }
  },
};

function hitFigure(what: string, share: number, atLeast: number): Figure {
  return { what, unit: 'share', nexus: share, target: { of: 'value', atLeast } };
}

function tokenFigure(what: string, tokens: number, atMost: number): Figure {
  return { what, unit: 'tokens', nexus: tokens, target: { of: 'value', atMost } };
}

async function searchTime({ tools, needs }: RealCatalogues): Promise<number> {
  const ranking = await rankTools(tools);
  const round = () =>
    needs.map(({ agent }) => {
      const startedAt = performance.now();
      ranking.search({ ...agent, limit: 5 });
      return performance.now() - startedAt;
    });
  round();
  return median(Array.from({ length: ROUNDS }, round).flat());
}

/** The first searches have the servers listed, as many as they have time for. */
async function untilListed(nexus: StdioServer): Promise<void> {
  const until = Date.now() + LIST_TIMEOUT_MS;
  for (;;) {
    const { unreachable } = await ask(nexus, { queries: ['list'] });
    if (unreachable.length === 0) return;
    if (Date.now() > until) throw new Error(`not listed: ${JSON.stringify(unreachable)}`);
    await sleep(RETRY_MS);
  }
}

interface Answered {
  /** The place of the first tool that does the job, from 0. */
  readonly rank: number;
  readonly tokens: number;
}

async function askAll(
  nexus: StdioServer,
  needs: readonly Need[],
  searchOf: (need: Need) => object,
): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (const need of needs) {
    const { hits, tokens } = await ask(nexus, searchOf(need));
    const rank = hits.findIndex((hit) =>
      need.accept.some(({ server, tool }) => hit.server === server && hit.tool === tool),
    );
    answers.push({ rank: rank === -1 ? Number.POSITIVE_INFINITY : rank, tokens });
  }
  return answers;
}

function hitRate(answers: readonly Answered[], first: number): number {
  return answers.filter(({ rank }) => rank < first).length / answers.length;
}

interface Found {
  readonly hits: readonly { readonly server: string; readonly tool: string }[];
  readonly unreachable: readonly object[];
}

async function ask(nexus: StdioServer, search: object): Promise<Found & { tokens: number }> {
  const answer = await nexus.request('tools/call', { name: 'find_tools', arguments: search });
  const { content, structuredContent } = answer as { content: { text: string }[]; structuredContent?: Found };
  const text = content.map((block) => block.text).join('\n');
  if (!structuredContent) throw new Error(`find_tools: ${text}`);
  return { ...structuredContent, tokens: countTokens(text) };
}
