import { randomBytes } from 'node:crypto';
import { type Store, ToolError } from '@nexus/plugin-sdk';
import { sql } from 'kysely';
import type { ExpertRole } from '../roles/roles.ts';
import { migrations } from './migrations.ts';
import type { CreatedRow, Tables } from './tables.ts';

/** An expert that a caller made: a role with its own model and instructions. */
export interface CreatedExpert {
  readonly expertId: string;
  readonly role: ExpertRole;
  readonly model?: string;
  readonly instructions?: string;
}

export interface Page {
  readonly limit: number;
  /** To skip. */
  readonly offset: number;
}

/** An expert is its user's; the server's own user (`undefined`) sees all. */
export interface CreatedExperts {
  create(expert: Omit<CreatedExpert, 'expertId'>, user: string | undefined): Promise<CreatedExpert>;
  /** @throws {ToolError} NEXUS_NOT_FOUND with the newest ids */
  find(expertId: string, user: string | undefined): Promise<CreatedExpert>;
  /** Newest first. */
  list(page: Page, user: string | undefined): Promise<{ experts: CreatedExpert[]; total: number }>;
}

const NAME = 'experts';
const NAMED_IN_ERROR = 5;
/** How finely it is known when an expert was used. */
const DAY_MS = 86_400_000;

export function createdExperts(store: Store): CreatedExperts {
  const open = () => store.open<Tables>(NAME, migrations);
  const openToRead = async () =>
    (await store.openToRead<Tables>(NAME, migrations)) ?? store.blank<Tables>(NAME, migrations);
  const seenBy = (db: Awaited<ReturnType<typeof open>>, user: string | undefined) => {
    const all = db.selectFrom('experts_created');
    return user === undefined ? all : all.where('owner', '=', user);
  };
  const list = async ({ limit, offset }: Page, user: string | undefined) => {
    const seen = seenBy(await openToRead(), user);
    const newest = seen.selectAll().orderBy('created_at', 'desc').orderBy('id');
    const rows = await newest.limit(limit).offset(offset).execute();
    const { total } = await seen
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return { experts: rows.map(toExpert), total: Number(total) };
  };
  return {
    list,
    async create(expert, user) {
      const db = await open();
      const expertId = `expert_${randomBytes(8).toString('hex')}`;
      await db
        .insertInto('experts_created')
        .values({
          id: expertId,
          role: expert.role,
          model: expert.model ?? null,
          instructions: expert.instructions ?? null,
          owner: user ?? null,
          created_at: store.now,
          used_at: store.now,
        })
        .execute();
      return { expertId, ...expert };
    },
    async find(expertId, user) {
      const db = await open();
      const row = await seenBy(db, user).selectAll().where('id', '=', expertId).executeTakeFirst();
      if (row) {
        await db
          .updateTable('experts_created')
          .set({ used_at: store.now })
          .where('id', '=', expertId)
          .where(sql<number>`coalesce(used_at, 0)`, '<=', sql<number>`${store.now} - ${DAY_MS}`)
          .execute();
        return toExpert(row);
      }
      const { experts } = await list({ limit: NAMED_IN_ERROR, offset: 0 }, user);
      const known = experts.map((each) => `${each.expertId} (${each.role})`).join(', ');
      const text = `No expert "${expertId}". ${known ? `The newest are ${known}.` : 'None has been created.'} create_expert makes one.`;
      throw new ToolError('NEXUS_NOT_FOUND', text, { detail: { expertId } });
    },
  };
}

function toExpert({ id, role, model, instructions }: CreatedRow): CreatedExpert {
  return {
    expertId: id,
    role,
    ...(model === null ? {} : { model }),
    ...(instructions === null ? {} : { instructions }),
  };
}
