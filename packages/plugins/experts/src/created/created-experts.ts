import { randomBytes } from 'node:crypto';
import type { ExpertRole } from '@nexus/plugin-sdk';
import { type Store, ToolError } from '@nexus/plugin-sdk';
import { migrations } from './migrations.ts';
import type { CreatedRow, Tables } from './tables.ts';

/** An expert that a caller made: a role with its own model and instructions. */
export interface CreatedExpert {
  readonly expertId: string;
  readonly role: ExpertRole;
  readonly model?: string;
  readonly instructions?: string;
}

export interface CreatedExperts {
  create(expert: Omit<CreatedExpert, 'expertId'>): Promise<CreatedExpert>;
  /** @throws {ToolError} NEXUS_NOT_FOUND with the newest ids */
  find(expertId: string): Promise<CreatedExpert>;
  /** Newest first. */
  list(limit: number): Promise<{ experts: CreatedExpert[]; total: number }>;
}

const NAMED_IN_ERROR = 5;

export function createdExperts(store: Store): CreatedExperts {
  const open = () => store.open<Tables>('experts', migrations);
  const list = async (limit: number) => {
    const db = await open();
    const rows = await db
      .selectFrom('experts_created')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
    const { total } = await db
      .selectFrom('experts_created')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return { experts: rows.map(toExpert), total: Number(total) };
  };
  return {
    list,
    async create(expert) {
      const db = await open();
      const expertId = `expert_${randomBytes(8).toString('hex')}`;
      await db
        .insertInto('experts_created')
        .values({
          id: expertId,
          role: expert.role,
          model: expert.model ?? null,
          instructions: expert.instructions ?? null,
          created_at: store.now,
        })
        .execute();
      return { expertId, ...expert };
    },
    async find(expertId) {
      const db = await open();
      const row = await db
        .selectFrom('experts_created')
        .selectAll()
        .where('id', '=', expertId)
        .executeTakeFirst();
      if (row) return toExpert(row);
      const { experts } = await list(NAMED_IN_ERROR);
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
