import type { CallContext } from './context.ts';

/** A text that can be read by its URI. */
export interface ReadableText {
  readonly mimeType: string;
  readonly text: string;
}

/** What calls answered and was kept, and what else Nexus serves by a URI of its own. */
export interface Results {
  /**
   * @param uri `nexus://…`
   * @returns undefined for what is not there, is gone, or is not this caller's
   */
  read(
    uri: string,
    caller: Pick<CallContext, 'session' | 'user' | 'roots'>,
  ): Promise<ReadableText | undefined>;
}
