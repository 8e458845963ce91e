export interface CheckResult {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed';
  /** What was found, with values. */
  readonly saw: string;
  readonly fix?: string;
  /** Of a failure that explains none of what comes after. */
  readonly isAlone?: boolean;
}

/** One thing a user can get wrong. Throwing counts as failed, with the error's message. */
export interface Check {
  readonly name: string;
  run(source: CheckSource): Promise<Omit<CheckResult, 'name'>>;
}

export interface CheckSource {
  /** `--config`. */
  readonly config: string | undefined;
  /** Whether the servers of toolboxes may be started and called. */
  readonly connect: boolean;
}
