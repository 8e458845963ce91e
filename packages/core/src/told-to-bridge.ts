/** The method by which a server tells a process that joined it of a session's warning; no host hears of it. */
export const TOLD_TO_BRIDGE = 'nexus/told';

/** And by which it tells, before each call that another only passes on is made, whether that may be made again. */
export const MAY_REPEAT = 'nexus/mayRepeat';

export interface MayRepeat {
  /** Of the call that passes it on. */
  readonly requestId: string | number;
  readonly mayRepeat: boolean;
}

/** And by which it tells of the run that a call is answered by, which the next server goes on with. */
export const ANSWERED_BY = 'nexus/answeredBy';

export interface AnsweredBy {
  readonly requestId: string | number;
  readonly runId: string;
}

export interface ToldToBridge {
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}
