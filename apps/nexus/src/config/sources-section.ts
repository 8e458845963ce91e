import { z } from 'zod';

const Source = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Whether it is asked at all.'),
    baseUrl: z.url().max(2_000).optional().describe('Where its API is, such as that of a GitHub Enterprise.'),
    key: z
      .string()
      .min(1)
      .max(10_000)
      .optional()
      .describe('Its key or token, such as $GITHUB_TOKEN in braces.'),
    mailto: z
      .string()
      .max(320)
      .optional()
      .describe('A mail address, which some sources thank for with better service.'),
  })
  .optional();

/** Places outside of the machine that tools ask: one section of the config. */
export const SourcesSection = z
  .strictObject({
    arxiv: Source.describe('Articles of arXiv.'),
    crossref: Source.describe('Works and retractions by DOI.'),
    openalex: Source.describe('Works and who cites them; needs a key.'),
    semantic_scholar: Source.describe('Works, summaries and citations.'),
    github: Source.describe('Repositories and issues.'),
    allowHosts: z
      .array(z.string().min(1).max(300))
      .max(200)
      .default([])
      .describe(
        'Hosts that tools may fetch from although they are not on the open internet: name, name:port or *.domain.',
      ),
  })
  .prefault({})
  .describe('Where tools reach out of the machine, and with which keys.');
