import type { CallContext } from './context.ts';

/** A text that can be read by its URI. */
export interface ReadableText {
  readonly mimeType: string;
  readonly text: string;
  /** The server in whose words it is, where these sound like Nexus. */
  readonly whose?: string | undefined;
}

/** What calls answered and was kept, and what else Nexus serves by a URI of its own. */
export interface Results {
  /** Characters of text and structure that the host's model gets of one result: what is longer is cut. */
  readonly maxChars: number;
  /**
   * Keeps what an answer has no room for, for whoever calls, for a day.
   * @returns where `read_result` and a client read it, once it is on disk: no end of this process loses what is named
   */
  keep(kept: ReadableText, caller: Pick<CallContext, 'session' | 'user'>): Promise<{ readonly uri: string }>;
  /**
   * @param uri `nexus://…`
   * @returns undefined for what is not there, is gone, or is not this caller's
   */
  read(
    uri: string,
    caller: Pick<CallContext, 'session' | 'user' | 'roots'>,
  ): Promise<ReadableText | undefined>;
}
