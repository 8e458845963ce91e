import type { JudgedWork, OutcomeQuery } from '@nexus/plugin-sdk';
import { type Kysely, sql } from 'kysely';
import type { JudgementRow, Tables } from './tables.ts';

/** Of a model in a category. */
export interface Judged extends Pick<JudgementRow, 'model' | 'category'> {
  readonly good: number;
  readonly bad: number;
}

/** A judgement for each model that did the work, in each category that it was asked in. */
export async function judgementsOf(
  db: Kysely<Tables>,
  { key, isGood, source, by }: JudgedWork,
): Promise<JudgementRow[]> {
  const told = { key, source, is_good: isGood ? 1 : 0, judged_at: Date.now() };
  if ('model' in by) return [{ ...told, ...by, provider: by.model.split(':')[0] ?? '' }];
  const asked = await db
    .selectFrom('models_calls')
    .select(['model', 'provider', 'category'])
    .distinct()
    .where('root_id', '=', by.rootId)
    .where('outcome', '=', 'ok')
    .execute();
  return asked.map((each) => ({ ...told, ...each }));
}

export async function writeJudgements(db: Kysely<Tables>, rows: readonly JudgementRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insertInto('models_judgements')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['key', 'model', 'category']).doUpdateSet(({ ref }) => ({
        judged_at: ref('excluded.judged_at'),
        is_good: ref('excluded.is_good'),
        source: ref('excluded.source'),
      })),
    )
    .execute();
}

export async function readJudged(
  db: Kysely<Tables>,
  { provider, category, since }: { readonly [Key in keyof OutcomeQuery]: OutcomeQuery[Key] | undefined },
): Promise<readonly Judged[]> {
  let query = db
    .selectFrom('models_judgements')
    .select([
      'model',
      'category',
      sql<number>`sum(is_good)`.as('good'),
      sql<number>`sum(1 - is_good)`.as('bad'),
    ])
    .groupBy(['model', 'category']);
  if (provider !== undefined) query = query.where('provider', '=', provider);
  if (category !== undefined) query = query.where('category', '=', category);
  if (since !== undefined) query = query.where('judged_at', '>=', since);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, good: Number(row.good), bad: Number(row.bad) }));
}
