import { type Store, ToolError, type VoteCondition } from '@nexus/plugin-sdk';
import { type Kysely, sql } from 'kysely';
import type { Ballot } from '../ballots/ballot.ts';
import { inOrder, type PairRecord } from './effective-votes.ts';
import { migrations } from './migrations.ts';
import type { BallotRow, Outcome, Tables, VoteRow } from './tables.ts';
import type { Accuracy } from './weights.ts';

/** All that a vote or a panel answered, plain JSON. */
export interface ToldVote {
  /** For a person, Markdown. */
  readonly summary: string;
  readonly conditions: readonly VoteCondition[];
}

/** A vote as it is put on record. */
export interface NewVote extends Omit<VoteRow, 'options' | 'created_at' | 'told' | `outcome${string}`> {
  readonly told: ToldVote;
  readonly options: readonly string[] | null;
  readonly ballots: readonly (Ballot & { readonly axis?: string })[];
}

/** Votes on record in the project's tables. */
export interface VoteRecord {
  /** A second time with the same id changes nothing. */
  add(vote: NewVote): Promise<void>;
  /**
   * @param user who asks; absent for the server's own user, who finds all
   * @throws {ToolError} NEXUS_NOT_FOUND, for a vote of another user too
   */
  find(
    id: string,
    user: string | undefined,
  ): Promise<{ readonly vote: VoteRow; readonly ballots: readonly BallotRow[] }>;
  /** Newest first; of one user, or of all. */
  list(limit: number, user?: string): Promise<{ readonly votes: readonly VoteRow[]; readonly total: number }>;
  /** How often the ballots of two models approved or rejected alike. */
  agreement(): Promise<readonly PairRecord[]>;
  /** How often voters were right, where an outcome was told. */
  accuracy(): Promise<readonly Accuracy[]>;
  tellOutcome(id: string, outcome: Outcome, source: string): Promise<void>;
  /** Puts what the votes of these runs come to by now in the place of what they had answered. */
  retell(runIds: readonly string[], now: (told: ToldVote) => ToldVote): Promise<void>;
}

export function voteRecord(store: Store): VoteRecord {
  const open = () => store.open<Tables>('consensus', migrations);
  return {
    async add({ ballots, options, told, ...vote }) {
      const db = await open();
      await db.transaction().execute(async (trx) => {
        const { numInsertedOrUpdatedRows: added } = await trx
          .insertInto('consensus_votes')
          .values({
            ...vote,
            options: options && JSON.stringify(options),
            told: JSON.stringify(told),
            created_at: store.now,
            outcome: null,
            outcome_source: null,
            outcome_at: null,
          })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirst();
        if (added === 0n || ballots.length === 0) return;
        await trx
          .insertInto('consensus_ballots')
          .values(
            ballots.map(({ axis = '', choice, voter, model, confidence, reasoning }) => ({
              ...{ voter, model, confidence, reasoning },
              vote_id: vote.id,
              axis,
              choice: String(choice),
            })),
          )
          .execute();
      });
    },
    async find(id, user) {
      const db = await open();
      const vote = await db
        .selectFrom('consensus_votes')
        .selectAll()
        .where('id', '=', id)
        .$if(user !== undefined, (query) => query.where('user_id', '=', user ?? null))
        .executeTakeFirst();
      if (!vote) {
        const text = `There is no vote "${id}" on record; \`nexus votes\` lists those that are.`;
        throw new ToolError('NEXUS_NOT_FOUND', text, { detail: { recordId: id } });
      }
      const ballots = await db
        .selectFrom('consensus_ballots')
        .selectAll()
        .where('vote_id', '=', id)
        .orderBy('axis')
        .orderBy('voter')
        .execute();
      return { vote, ballots };
    },
    async list(limit, user) {
      const db = await open();
      const fitting = db
        .selectFrom('consensus_votes')
        .$if(user !== undefined, (query) => query.where('user_id', '=', user ?? null));
      const votes = await fitting
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute();
      const { total } = await fitting
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { votes, total: Number(total) };
    },
    agreement: async () => readAgreement(await open()),
    accuracy: async () => readAccuracy(await open()),
    async tellOutcome(id, outcome, source) {
      const db = await open();
      await db
        .updateTable('consensus_votes')
        .set({ outcome, outcome_source: source, outcome_at: store.now })
        .where('id', '=', id)
        .execute();
    },
    async retell(runIds, now) {
      const db = await open();
      const votes = await db
        .selectFrom('consensus_votes')
        .select(['id', 'told'])
        .where('run_id', 'in', runIds)
        .execute();
      for (const { id, told } of votes) {
        if (told === null) continue;
        await db
          .updateTable('consensus_votes')
          .set({ told: JSON.stringify(now(JSON.parse(told) as ToldVote)) }) // as it was written
          .where('id', '=', id)
          .execute();
      }
    },
  };
}

const SIDES = ['approve', 'reject'];

async function readAgreement(db: Kysely<Tables>): Promise<PairRecord[]> {
  const rows = await db
    .selectFrom('consensus_ballots as a')
    .innerJoin('consensus_ballots as b', (join) =>
      join
        .onRef('a.vote_id', '=', 'b.vote_id')
        .onRef('a.axis', '=', 'b.axis')
        .onRef('a.voter', '<', 'b.voter'),
    )
    .select(({ fn }) => [
      'a.model as first',
      'b.model as second',
      fn.countAll<number>().as('pairs'),
      sql<number>`sum(case when a.choice = b.choice then 1 else 0 end)`.as('agreed'),
      sql<number>`sum(case when a.choice = 'approve' then 1 else 0 end) + sum(case when b.choice = 'approve' then 1 else 0 end)`.as(
        'approved',
      ),
    ])
    .where('a.choice', 'in', SIDES)
    .where('b.choice', 'in', SIDES)
    .groupBy(['a.model', 'b.model'])
    .execute();
  const byModels = new Map<string, PairRecord>();
  for (const { first, second, ...counts } of rows) {
    const models = inOrder(first, second);
    const key = models.join('\n');
    const sofar = byModels.get(key);
    byModels.set(key, {
      models,
      pairs: Number(counts.pairs) + (sofar?.pairs ?? 0),
      agreed: Number(counts.agreed) + (sofar?.agreed ?? 0),
      approved: Number(counts.approved) + (sofar?.approved ?? 0),
    });
  }
  return [...byModels.values()];
}

async function readAccuracy(db: Kysely<Tables>): Promise<Accuracy[]> {
  const rows = await db
    .selectFrom('consensus_ballots as b')
    .innerJoin('consensus_votes as v', 'v.id', 'b.vote_id')
    .select(['b.voter', 'b.model', 'b.choice', 'v.decision', 'v.winner', 'v.outcome', 'v.options'])
    .where('v.outcome', 'is not', null)
    .execute();
  const byVoter = new Map<string, Accuracy>();
  for (const row of rows) {
    const wasRight = ballotWasRight(row);
    if (wasRight === undefined) continue;
    const { voter, model } = row;
    const key = `${voter}\n${model}`;
    const { right, wrong } = byVoter.get(key) ?? { right: 0, wrong: 0 };
    byVoter.set(key, { voter, model, right: right + (wasRight ? 1 : 0), wrong: wrong + (wasRight ? 0 : 1) });
  }
  return [...byVoter.values()];
}

/** What the outcome of the decision says of one ballot; undefined where it says nothing. */
export function ballotWasRight({
  choice,
  decision,
  winner,
  outcome,
  options,
}: Pick<BallotRow, 'choice'> & Pick<VoteRow, 'decision' | 'winner' | 'outcome' | 'options'>):
  | boolean
  | undefined {
  if (outcome === null || ['abstain', 'no_stake', 'error'].includes(choice)) return undefined;
  const decided = options === null ? (decision === 'approved' ? 'approve' : 'reject') : String(winner);
  const isFor = choice === decided;
  if (outcome === 'right') return isFor;
  if (isFor) return false;
  // That one option was wrong does not make another right.
  return options === null ? true : undefined;
}
