export const pipelineNames = ['dev', 'audit', 'greenfield', 'general'] as const;

export type PipelineName = (typeof pipelineNames)[number];

/** One stage: an expert's turn, or a vote on what the stages before it came to. */
export interface Stage {
  readonly id: string;
  readonly title: string;
  readonly does: ExpertStage | VoteStage;
  /** Stages whose results it reads. */
  readonly needs: readonly string[];
  /** Left out in quick mode, and whatever needs it then reads what it needs. */
  readonly isLeftOutWhenQuick?: true;
}

export interface ExpertStage {
  readonly kind: 'expert';
  readonly role: string;
  /** What it is to do with the task; the task itself comes as data. */
  readonly task: string;
}

/** Where it is voted down, what comes after is left out. */
export interface VoteStage {
  readonly kind: 'vote';
}

/** A pipeline as data. */
export interface PipelineTemplate {
  readonly name: PipelineName;
  readonly description: string;
  /** Beginnings of words that speak for it, and how much. */
  readonly words: Readonly<Record<string, number>>;
  readonly stages: readonly Stage[];
}
