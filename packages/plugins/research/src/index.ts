import { definePlugin } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { createState, type ResearchState } from './state.ts';
import { researchAdd } from './tools/research-add.ts';
import { researchAddSource } from './tools/research-add-source.ts';
import { researchAnalyze } from './tools/research-analyze.ts';
import { researchCatalogReview } from './tools/research-catalog-review.ts';
import { researchDiscover } from './tools/research-discover.ts';
import { researchQuery } from './tools/research-query.ts';
import { researchSynthesize } from './tools/research-synthesize.ts';
import { surveyOssLandscape } from './tools/survey-oss-landscape.ts';

/** For whoever shows what they answer. */
export type { researchAdd, researchAddSource, researchCatalogReview, researchQuery };

export default definePlugin({
  name: 'research',
  options: z.strictObject({
    folder: z
      .string()
      .min(1)
      .max(500)
      .regex(/^(?!\/|[A-Za-z]:)(?![\s\S]*\.\.)/, 'must be a folder of the project')
      .default('.nexus/research')
      .describe(
        'Where the registry is, relative to the project: a YAML file a kind, yours to edit and to commit.',
      ),
  }),
  tools: [
    researchAdd,
    researchAddSource,
    researchAnalyze,
    researchCatalogReview,
    researchDiscover,
    researchQuery,
    researchSynthesize,
    surveyOssLandscape,
  ],
  start: async ({ folder }, host): Promise<ResearchState> => createState(folder, host),
  async stop() {},
});
