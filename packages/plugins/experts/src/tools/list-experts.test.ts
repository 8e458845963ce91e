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

interface Roles {
  readonly experts: readonly object[];
  readonly count: number;
  readonly leftOut?: string;
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

it.each([1_000, 1_500, 5_000])(
  'lists the roles by their names in a host that shows %i characters, and says where the rest is',
  async (maxResultChars) => {
    const plugin = await startPlugin(experts, { maxResultChars });
    try {
      const { content, structuredContent } = await plugin.call('list_experts', {});
      expect(`${content[0]?.text}${JSON.stringify(structuredContent)}`.length).toBeLessThan(maxResultChars);
      const { experts: roles, count, leftOut } = structuredContent as unknown as Roles;
      expect(roles).toHaveLength(count);
      expect(leftOut).toMatch(
        /^What each role can do has no room here: read_result reads it as nexus:\/\/experts/,
      );
      expect(content[0]?.text).toContain(leftOut);
      // Whoever asks for the names alone lacks nothing.
      const names = await plugin.call('list_experts', { format: 'names' });
      expect(names.structuredContent).not.toHaveProperty('leftOut');
    } finally {
      await plugin.stop();
    }
  },
);

it('leaves nothing out where all of it has room', async () => {
  const plugin = await startPlugin(experts, { maxResultChars: 25_000 });
  const { structuredContent } = await plugin.call('list_experts', {});
  await plugin.stop();
  const { experts: roles, leftOut } = structuredContent as unknown as Roles;
  expect(leftOut).toBeUndefined();
  for (const role of roles) expect(role).toHaveProperty('description');
});
