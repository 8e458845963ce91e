/** What becomes of a ballot that could not be had. */
interface ErrorPolicyData {
  /** Whether it counts among those of which a share is needed. */
  readonly isCounted: boolean;
  /** Whether one alone keeps anything from being decided. */
  readonly isFatal: boolean;
  readonly words: string;
}

export const errorPolicies = {
  reduce_denominator: {
    isCounted: false,
    isFatal: false,
    words: 'ballots in error do not count',
  },
  count_as_abstain: {
    isCounted: true,
    isFatal: false,
    words: 'ballots in error count as abstentions',
  },
  fail_closed: {
    isCounted: true,
    isFatal: true,
    words: 'with a ballot in error nothing is decided',
  },
} as const satisfies Record<string, ErrorPolicyData>;

export type VoteErrorPolicy = keyof typeof errorPolicies;

export const voteErrorPolicies = Object.keys(errorPolicies) as readonly VoteErrorPolicy[];
