import { counted } from '@nexus/primitives';
import { measureDatabase } from '@nexus/store';
import { loadConfig } from '../loaded-config/load-config.ts';
import { projectStore } from '../project/project-store.ts';
import { retentionOf } from '../retention/start-sweeps.ts';
import { age } from '../terminal/age.ts';
import type { Check } from './check.ts';
import { sizeText } from './size-text.ts';

const SHOWN = 5;
/** Of a file that is mostly empty, or of a database that nobody meant to keep so much in. */
const LARGE_BYTES = 4 * 1024 ** 3;

/** How large the record is, and what fills it. */
export const database: Check = {
  name: 'Database',
  async run(source) {
    const loaded = await loadConfig(source);
    const store = projectStore(loaded);
    try {
      const { bytes, freeBytes, tables } = await measureDatabase(store, retentionOf(loaded.plugins));
      const largest = tables
        .filter(({ rows }) => rows > 0)
        .slice(0, SHOWN)
        .map(({ table, rows, oldestAt }) => {
          const since =
            oldestAt === undefined
              ? ''
              : `, ${rows === 1 ? '' : 'the oldest '}${age(new Date(oldestAt).toISOString())} old`;
          return `${table}: ${counted(rows, 'row')}${since}`;
        });
      const free = freeBytes > 0 ? `, ${sizeText(freeBytes)} of them free` : '';
      const saw = [`${sizeText(bytes)}${free}`, ...largest].join('\n      ');
      if (bytes < LARGE_BYTES) return { status: 'ok', saw };
      return { status: 'warning', saw, fix: 'keep less of the largest: `retention` in the config' };
    } finally {
      await store.close();
    }
  },
};
