import type { SourceName } from '@nexus/plugin-sdk';

/** What a process of a team is told. */
export interface Asked {
  /** The time, in epoch milliseconds. */
  readonly at: number;
  readonly source: SourceName;
  /** The turn whose request is over by now. */
  readonly over?: string | undefined;
}

/** What it says of the turn that it then asked for. */
export interface Told {
  readonly given?: string;
  readonly failed?: string;
}
