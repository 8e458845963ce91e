import { findPostgres, startPlugin, startPostgres } from '@nexus/testing';
import { afterAll, describe, expect, it } from 'vitest';
import consensus from '../index.ts';
import { ballotWasRight, type NewVote, voteRecord } from './vote-record.ts';

const binaries = findPostgres();
if (!binaries) console.warn('No Postgres on this machine (initdb, postgres): its tests are skipped.');
const server = binaries ? await startPostgres(binaries) : undefined;
afterAll(() => server?.stop());

const STORES = [
  { name: 'SQLite', isThere: true, options: async () => ({}) },
  {
    name: 'Postgres',
    isThere: server !== undefined,
    options: async () => ({ databaseUrl: (await server?.createSchema()) ?? '' }),
  },
];

const vote = (id: string, said: readonly ('approve' | 'reject' | 'abstain')[]): NewVote => ({
  id,
  run_id: `run-${id}`,
  user_id: null,
  kind: 'vote',
  proposal: 'x',
  options: null,
  strategy: 'simple_majority',
  error_policy: 'fail_closed',
  decision: 'approved',
  winner: null,
  approval: 0.5,
  told: { summary: 'So.', conditions: [] },
  ballots: said.map((choice, at) => ({
    voter: (['architect', 'security', 'pm'] as const)[at] ?? 'pm',
    model: at === 1 ? 'b:2' : 'a:1',
    choice,
    confidence: 1,
    reasoning: 'so',
  })),
});

for (const { name, isThere, options } of STORES) {
  describe.skipIf(!isThere)(`the record of votes on ${name}`, () => {
    it('keeps a vote once, and counts agreement and accuracy of what it holds', async () => {
      const plugin = await startPlugin(consensus, await options());
      const record = voteRecord(plugin.host.store);
      await record.add(vote('one', ['approve', 'approve', 'reject']));
      await record.add(vote('one', ['reject', 'reject', 'reject']));
      await record.add(vote('two', ['reject', 'approve', 'abstain']));
      expect(await record.list(9)).toMatchObject({ total: 2 });
      const agreement = [...(await record.agreement())].sort((a, b) => (a.models < b.models ? -1 : 1));
      expect(agreement).toEqual([
        { models: ['a:1', 'a:1'], pairs: 1, agreed: 0, approved: 1 },
        { models: ['a:1', 'b:2'], pairs: 3, agreed: 1, approved: 4 },
      ]);
      expect(await record.accuracy()).toEqual([]);
      await record.tellOutcome('one', 'wrong', 'a test');
      expect([...(await record.accuracy())].sort((a, b) => (a.voter < b.voter ? -1 : 1))).toEqual([
        { voter: 'architect', model: 'a:1', right: 0, wrong: 1 },
        { voter: 'pm', model: 'a:1', right: 1, wrong: 0 },
        { voter: 'security', model: 'b:2', right: 0, wrong: 1 },
      ]);
      await plugin.stop();
    });
  });
}

describe('of an outcome', () => {
  const binary = { options: null, winner: null } as const;
  const chosen = { options: '["a","b","c"]', decision: 'approved', winner: 1 } as const;
  it.each([
    ['approve', { ...binary, decision: 'approved', outcome: 'right' }, true],
    ['reject', { ...binary, decision: 'approved', outcome: 'right' }, false],
    ['approve', { ...binary, decision: 'approved', outcome: 'wrong' }, false],
    ['reject', { ...binary, decision: 'approved', outcome: 'wrong' }, true],
    ['reject', { ...binary, decision: 'rejected', outcome: 'right' }, true],
    ['approve', { ...binary, decision: 'rejected', outcome: 'wrong' }, true],
    ['abstain', { ...binary, decision: 'approved', outcome: 'right' }, undefined],
    ['error', { ...binary, decision: 'approved', outcome: 'right' }, undefined],
    ['approve', { ...binary, decision: 'approved', outcome: null }, undefined],
    ['1', { ...chosen, outcome: 'right' }, true],
    ['2', { ...chosen, outcome: 'right' }, false],
    ['1', { ...chosen, outcome: 'wrong' }, false],
    ['2', { ...chosen, outcome: 'wrong' }, undefined],
  ] as const)('a ballot %s in %j was right: %s', (choice, vote, right) => {
    expect(ballotWasRight({ choice, ...vote })).toBe(right);
  });
});
