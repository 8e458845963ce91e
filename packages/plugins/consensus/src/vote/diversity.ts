import type { VoteOutput } from '@nexus/plugin-sdk';
import { type Ballot, hasStake } from '../ballots/ballot.ts';
import { modelName, vendorOf } from '../ballots/vendors.ts';

/** Who answered, but for those who say that they have no stake: their ballots do not count. */
export function panelDiversity(ballots: readonly Ballot[]): VoteOutput['panelDiversity'] {
  const answered = ballots.filter(hasStake);
  const models = [...new Set(answered.map(({ model }) => model))].sort();
  return {
    voters: answered.length,
    models: new Set(models.map((model) => `${vendorOf(model)}\n${modelName(model)}`)).size,
    vendors: new Set(models.map(vendorOf)).size,
    spread: models.map((model) => ({
      model,
      vendor: vendorOf(model),
      voters: answered.filter((ballot) => ballot.model === model).map(({ voter }) => voter),
    })),
  };
}
