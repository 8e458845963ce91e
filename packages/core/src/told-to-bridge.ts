/** The method by which a server tells a process that joined it of a session's warning; no host hears of it. */
export const TOLD_TO_BRIDGE = 'nexus/told';

export interface ToldToBridge {
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}
