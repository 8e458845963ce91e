import { type CallContext, defineTool } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { withoutEmptyLists } from '../compare/without-empty-lists.ts';
import type { FeedsState } from '../state.ts';

const shown = <Item extends z.ZodType>(item: Item) => z.object({ count: z.int(), shown: z.array(item) });

const Side = z.object({
  path: z.string(),
  format: z.enum(['json', 'ndjson', 'csv']),
  rows: z.int(),
  keys: z.int(),
  withoutKey: shown(z.int()),
  doubled: shown(z.looseObject({ key: z.string() })),
  unreadable: shown(z.looseObject({ row: z.int() })),
});

export const compareDataFeeds = defineTool({
  name: 'compare_data_feeds',
  title: 'Compare data feeds',
  description:
    'Two files of records (JSON, NDJSON, CSV) compared by key: added, dropped, changed; missing and doubled keys counted.',
  input: z.object({
    feedAPath: z.string().min(1).max(1_000).describe('File in the project'),
    feedBPath: z.string().min(1).max(1_000).describe('The other'),
    keyPath: z
      .string()
      .min(1)
      .max(300)
      .describe('id, offer.id; items[].id where the list is inside the file')
      .meta({ examples: ['id'] }),
    compareFields: z.array(z.string().min(1).max(200)).min(1).max(50).optional().describe('Default all'),
    limit: z.int().min(1).max(1_000).default(20).describe('Most of each list'),
    offset: z.int().min(0).max(10_000_000).default(0).describe('To skip of each'),
  }),
  output: z.object({
    a: Side,
    b: Side,
    same: z.int(),
    changed: shown(z.looseObject({ key: z.string() })),
    onlyInA: shown(z.string()),
    onlyInB: shown(z.string()),
    fieldsNotFound: z.array(z.string()),
    nextOffset: z.int().optional(),
    leftOut: z.string().optional().describe('Lists whose next item has no room here.'),
    whole: z.string().optional().describe('The next item of each list, by read_result.'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  label: { trust: 'untrusted' },
  budget: 'pipeline',
  text: withoutEmptyLists,
  async call(input, context: CallContext<FeedsState>) {
    const { compare } = await import('../compare/compare.ts');
    const { pageOf } = await import('../compare/page-of.ts');
    return pageOf(await compare(input, context), input, context);
  },
});
