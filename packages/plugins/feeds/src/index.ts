import { definePlugin } from '@nexus/plugin-sdk';
import { options } from './options.ts';
import { createState, type FeedsState } from './state.ts';
import { compareDataFeeds } from './tools/compare-data-feeds.ts';
import { vendorPublishingAudit } from './tools/vendor-publishing-audit.ts';

/** For whoever shows what it answers. */
export type { vendorPublishingAudit };

export default definePlugin({
  name: 'feeds',
  options,
  tools: [compareDataFeeds, vendorPublishingAudit],
  start: async (given, host): Promise<FeedsState> => createState(given, host),
  async stop() {},
});
