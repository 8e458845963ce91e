import { startPlugin } from '@nexus/testing';
import { expect, it } from 'vitest';
import { migrations } from '../created/migrations.ts';
import type { Tables } from '../created/tables.ts';
import experts from '../index.ts';

interface Answer {
  readonly created: readonly { readonly expertId: string }[];
  readonly createdTotal?: number;
  readonly nextOffset?: number;
}

const COUNT = 10_003;
const AT_ONCE = 1_000;

it('lists each expert that was created once, a page after the other', async () => {
  const plugin = await startPlugin(experts);
  try {
    const db = await plugin.host.store.open<Tables>('experts', migrations);
    const made = Array.from({ length: COUNT }, (_, at) => `expert_${at}`);
    for (let from = 0; from < COUNT; from += AT_ONCE) {
      const rows = made.slice(from, from + AT_ONCE).map((id) => ({
        ...{ id, role: 'qa' as const, model: null, instructions: null, owner: null },
        ...{ created_at: 0, used_at: 0 },
      }));
      await db.insertInto('experts_created').values(rows).execute();
    }
    const listed: string[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const { content, structuredContent } = await plugin.call('list_experts', { format: 'names', offset });
      const page = structuredContent as unknown as Answer;
      expect(page.createdTotal).toBe(COUNT);
      // Cut by nothing behind it.
      expect(`${content[0]?.text}${JSON.stringify(page)}`.length).toBeLessThan(50_000);
      listed.push(...page.created.map(({ expertId }) => expertId));
      offset = page.nextOffset;
    }
    expect(listed).toHaveLength(COUNT);
    expect(new Set(listed)).toEqual(new Set(made));
  } finally {
    await plugin.stop();
  }
});

it('lists the roles by their names in a host that shows little, none cut', async () => {
  for (const maxResultChars of [1_500, 5_000]) {
    const plugin = await startPlugin(experts, { maxResultChars });
    const { content, structuredContent } = await plugin.call('list_experts', {});
    await plugin.stop();
    expect(`${content[0]?.text}${JSON.stringify(structuredContent)}`.length).toBeLessThan(maxResultChars);
    const { experts: roles, count } = structuredContent as { experts: object[]; count: number };
    expect(roles).toHaveLength(count);
  }
});
