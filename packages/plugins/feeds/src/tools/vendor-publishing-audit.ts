import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { FeedsState } from '../state.ts';

export const vendorPublishingAudit = defineTool({
  name: 'vendor_publishing_audit',
  title: 'Audit a vendor’s feeds',
  description:
    'Where a vendor announces changes (feeds, sitemaps, changelogs), and how reliably: pace, silence, missing dates and ids. Reads copies fetched before; fetches nothing.',
  input: z.object({
    vendor: z
      .string()
      .min(1)
      .max(64)
      .describe('Such as nodejs')
      .meta({ examples: ['nodejs'] }),
  }),
  output: z.object({
    vendor: z.string(),
    title: z.string(),
    listedBy: z.enum(['nexus', 'config']),
    publications: z.array(
      z.looseObject({
        kind: z.string(),
        at: z.string(),
        state: z.enum(['read', 'not_fetched', 'unreadable']),
      }),
    ),
    findings: z.array(z.object({ severity: z.string(), at: z.string(), claim: z.string() })),
    toFetch: z.string().optional(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  label: { trust: 'untrusted', privacy: 'public' },
  budget: 'interactive',
  async call({ vendor }, context: CallContext<FeedsState>) {
    const { audit } = await import('../audit/audit.ts');
    return audit(vendor, context);
  },
});
