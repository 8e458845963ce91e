import { answerRoom, type CallContext, defineTool, jsonLength } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { hit, hitList, shownWhole, unreached } from '../answers/hit-list.ts';
import { hitsText } from '../answers/hits-text.ts';
import { seenShapes } from '../seen-shapes.ts';
import type { ToolFinder } from '../tool-finder.ts';

/** Less than that is not tried, at each try by so much. */
const [LEAST_CHARS, SMALLER] = [300, 0.8];

export const findTools = defineTool({
  name: 'find_tools',
  title: 'Find tools',
  description:
    'Search all toolboxes, open or not, for tools. Write 2–4 keyword phrases, each as a tool doing the job would be named or described, and guess its toolboxes. The best three come with input schema; call them by use_tool.',
  input: z.object({
    queries: z
      .array(z.string().max(200))
      .min(1)
      .max(4)
      .describe(
        'Best first, verb and object, other words in each: "create issue", "open bug ticket". English; no question, no values.',
      ),
    toolboxes: z.array(z.string().max(200)).max(8).default([]).describe('Likeliest first; no filter.'),
    limit: z.int().min(1).max(20).default(5).describe('Hits.'),
    offset: z.int().min(0).max(10_000).default(0).describe('Hits to skip.'),
    as: z.enum(['schema', 'types']).default('schema').describe('types: shorter.'),
  }),
  aliases: { query: 'queries', keywords: 'queries', q: 'queries', server: 'toolboxes' },
  output: z.looseObject({
    hits: z.array(hit),
    total: z.number(),
    nextOffset: z.int().optional(),
    unreachable: z.array(unreached),
    unreachableTotal: z.number().optional().describe('Where not all of them are named.'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  // Servers that were never listed are started or reached, and told nothing but that.
  isConduit: true,
  // What a server says of its tools is its own words, though it says the same as when they were pinned.
  label: { trust: 'untrusted', privacy: 'public' },
  isListedWhenLean: true,
  budget: 'interactive',
  text: hitsText,
  async call({ as, ...search }, context: CallContext<ToolFinder>) {
    const catalogue = await context.host.toolboxes.catalogue(context);
    const ranking = await context.state.rankingOf(catalogue);
    const found = ranking.search(search);
    const shapes = await seenShapes(shownWhole(found), context);
    const { results } = context.host;
    const inChars = (maxChars: number) =>
      hitList(found, catalogue.unreachable, { as, shapes, offset: search.offset, maxChars });
    let maxChars = results.maxChars;
    let shown = inChars(maxChars);
    // Tokens are estimated, and the host counts characters.
    while (jsonLength(shown) + hitsText(shown).length > answerRoom(results) && maxChars > LEAST_CHARS) {
      maxChars = Math.floor(SMALLER * maxChars);
      shown = inChars(maxChars);
    }
    return shown;
  },
});
