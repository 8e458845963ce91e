import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testPlugin } from '@nexus/testing';
import feeds from './index.ts';

testPlugin(feeds, {
  prepare: async ({ host }) => {
    const folder = join(host.projectRoot, 'data');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'a.csv'), 'sku,price\n1,10\n2,20\n');
    await writeFile(join(folder, 'b.json'), '{"items":[{"sku":1,"price":10},{"sku":3,"price":30}]}');
  },
  goodCalls: {
    compare_data_feeds: { feedAPath: 'data/a.csv', feedBPath: 'data/b.json', keyPath: 'items[].sku' },
    vendor_publishing_audit: { vendor: 'nodejs' },
  },
});
