import type { RunContract } from '../run-kind.ts';

export interface VoteInput {
  /** 1 to 4 000 characters; reaches the voters as data. */
  readonly proposal: string;
  /** 2 to 10, of which one is chosen; without them, the proposal is approved or rejected. */
  readonly options?: readonly string[];
  /** How much of the panel must stand behind a decision; by default the plugin's choice. `Runs.choices` tells which there are. */
  readonly strategy?: string;
  /** At most three voters in the place of seven. */
  readonly quickMode?: boolean;
  /** One voter alone, whom the plugin chooses to look for what speaks against the proposal. */
  readonly isGlance?: boolean;
  /** Who votes, by name; without it, those of the panel who have a stake in the matter. */
  readonly voters?: readonly string[];
  /** What they judge by beside the proposal, at most 60 000 characters: a diff, what a check came to. Reaches the voters as data. */
  readonly ground?: string;
  /** The proposal is work still to be done: conditions stay open, for whoever carries on to have them checked by `voteConditions`. */
  readonly isBeforeWork?: boolean;
  /** What becomes of a voter that failed; as `strategy`. */
  readonly errorPolicy?: string;
}

export interface Ballot {
  readonly voter: string;
  /** `provider:name`. */
  readonly model: string;
  /** `approve`, `reject`, `abstain`, `no_stake`, or the option chosen; `error` where the voter failed. */
  readonly decision: string;
  /** What it counts as, where a condition of it is not met: against what it was cast for. */
  readonly countedAs?: string;
  /** 0 to 1, as the voter says. */
  readonly confidence: number;
  readonly reasoning: string;
  /** What must be so for the ballot to stand as it was cast. */
  readonly conditions?: readonly string[];
  /** Conditions that its voter took back after an objection; all others bind. */
  readonly takenBack?: readonly string[];
}

/** What a ballot that is for the decision was cast under, and whether it is so. */
export interface VoteCondition {
  readonly text: string;
  /** The voters who said it. */
  readonly by: readonly string[];
  readonly state: 'met' | 'not_met' | 'unknown';
  /** What shows it; of `unknown`, why nobody can tell. */
  readonly why: string;
}

/** What one voter says must not go through, with what shows it. */
export interface VoteObjection {
  readonly by: string;
  readonly claim: string;
  /** With `(not found)` after what it names and what is not there. */
  readonly evidence: string;
  /**
   * `upheld`: more than half of the others hold it too. `answered`: they do not. `unanswered`: none of them could be
   * asked. `heeded`: the vote went against the proposal anyhow. `no_evidence`: nothing that it names is there, so it
   * counts as the ballot that it came with.
   */
  readonly outcome: 'upheld' | 'answered' | 'unanswered' | 'heeded' | 'no_evidence';
  readonly answers: readonly { readonly voter: string; readonly holds: boolean; readonly because: string }[];
}

export interface VoteOutput {
  readonly recordId: string;
  readonly decision: 'approved' | 'rejected' | 'no_quorum';
  /** Of a vote between options: the one chosen. */
  readonly option?: string;
  /** Share of the counted weight that is for it, 0 to 1. */
  readonly approval: number;
  /** How it was decided, in a sentence with the figures. */
  readonly why: string;
  /** All of it for a person, Markdown. */
  readonly summary: string;
  readonly votes: readonly Ballot[];
  /** Those whose ballots count otherwise than was decided, with their reasons. */
  readonly dissent: readonly Ballot[];
  /** Of the ballots that are for what was decided; one whose condition is not met counts against it. */
  readonly conditions: readonly VoteCondition[];
  readonly objections: readonly VoteObjection[];
  /** Who was not asked, and why. */
  readonly leftOut: readonly { readonly voter: string; readonly why: string }[];
  /** What the voters were shown beside the proposal: places of the project, and names in the proposal that are not there. */
  readonly ground: { readonly references: readonly string[]; readonly missing: readonly string[] };
  /** Of the ballots that could be had. */
  readonly panelDiversity: {
    readonly models: number;
    readonly voters: number;
    readonly vendors: number;
    readonly spread: readonly {
      readonly model: string;
      readonly vendor: string;
      readonly voters: readonly string[];
    }[];
  };
  /** How many independent voters the panel is worth; without a record, `count` is absent and `basis` says so. */
  readonly effectiveVotes: { readonly count?: number; readonly correlation?: number; readonly basis: string };
  /** Where ballots count by their voters' record: what each ballot counted, and from which record. */
  readonly weights?: {
    readonly basis: string;
    readonly of: readonly {
      readonly voter: string;
      readonly model: string;
      readonly right: number;
      readonly wrong: number;
      readonly weight: number;
    }[];
  };
}

export interface VoteConditionsInput {
  readonly proposal: string;
  readonly conditions: readonly Pick<VoteCondition, 'text' | 'by'>[];
  /** What was done, as data: a diff, answers, what checks came to. */
  readonly work: string;
  /** Whether the work is held to them: one that could not be checked, or of which nothing is said, is not met. */
  readonly isBinding?: boolean;
}

export interface VoteConditionsOutput {
  /** As many, in the same order. */
  readonly conditions: readonly VoteCondition[];
  /** Of the vote, as its record has it by now; absent where there is none of the run that asks. */
  readonly summary?: string;
}

/** Whether the conditions of a vote are met by work that came after it. */
export const voteConditions: RunContract<VoteConditionsInput, VoteConditionsOutput> = {
  name: 'consensus.conditions',
  version: 1,
};

/** A vote of a panel on a proposal, as the plugin `consensus` holds it. */
export const vote: RunContract<VoteInput, VoteOutput> = { name: 'consensus.vote', version: 3 };
