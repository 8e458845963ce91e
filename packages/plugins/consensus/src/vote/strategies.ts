/** How much of the panel must stand behind a decision. */
interface StrategyData {
  /** Of all ballots that count, abstentions included. */
  readonly share: number;
  /** Whether exactly that share is enough. */
  readonly isEnough: boolean;
  /** Whether ballots count by their voter's recorded accuracy; else each counts one. */
  readonly isWeighted: boolean;
  readonly words: string;
}

export const strategies = {
  simple_majority: { share: 1 / 2, isEnough: false, isWeighted: false, words: 'more than half' },
  supermajority: { share: 2 / 3, isEnough: true, isWeighted: false, words: 'at least two thirds' },
  unanimous: { share: 1, isEnough: true, isWeighted: false, words: 'all' },
  weighted: { share: 1 / 2, isEnough: false, isWeighted: true, words: 'more than half of the weight' },
} as const satisfies Record<string, StrategyData>;

export type VotingStrategy = keyof typeof strategies;

export const votingStrategies = Object.keys(strategies) as readonly VotingStrategy[];

export function meets(strategy: VotingStrategy, share: number): boolean {
  const needed: StrategyData = strategies[strategy];
  return needed.isEnough ? share >= needed.share : share > needed.share;
}
