import type { ReadableText, SessionScope } from '@nexus/plugin-sdk';
import { KEPT_RESULTS } from '@nexus/primitives';
import type { ResultsOnDisk } from './results-on-disk.ts';

/** Characters, which take up to two bytes each. */
const MAX_KEPT_CHARS = 32 * 1024 * 1024;

export const KEPT_RESULTS_TEMPLATE = {
  uriTemplate: `${KEPT_RESULTS}{id}`,
  name: 'results',
  title: 'Whole results',
  description: 'The whole of a result that was too long for a call’s answer, which links to it.',
  mimeType: 'text/plain',
} as const;

/** A text of a result, as `resources/read` serves it. */
export interface KeptText extends ReadableText {
  readonly uri: string;
}

/** Who asks for a kept result. */
export interface ResultReader {
  readonly session: SessionScope;
  readonly user: string | undefined;
}

/** Texts of results that were cut: in memory for the session that called, and on disk for its user. */
export interface KeptResults {
  /** A result with more characters of text than this is cut. */
  readonly maxResultChars: number;
  /**
   * Drops those used longest ago, of any session, where there are too many. What names it to anybody waits for
   * {@link KeptResults.written} first: until then the end of this process would take it along.
   */
  keep(session: SessionScope, kept: ReadableText, user?: string): KeptText;
  /** Undefined for what was never kept, was dropped, or is another session's. */
  read(session: SessionScope, uri: string): KeptText | undefined;
  /** As `read`, and what another session or process of the same user kept, for as long as it is on disk. */
  find(reader: ResultReader, uri: string): Promise<KeptText | undefined>;
  /**
   * Resolves when the texts kept as these are on disk, or all that was kept so far; also where one can't be written, of
   * which the log says why: then it is there for its session only.
   */
  written(uris?: readonly string[]): Promise<void>;
  ids(session: SessionScope): readonly string[];
}

/** @param options.maxKeptChars of all sessions together; the newest text is kept however long it is */
export function createKeptResults({
  maxResultChars,
  maxKeptChars = MAX_KEPT_CHARS,
  disk,
  redact = async (text) => text,
  onFault = () => {},
}: {
  readonly maxResultChars: number;
  readonly maxKeptChars?: number;
  /** Without it, nothing outlives its session. */
  readonly disk?: ResultsOnDisk;
  /** What goes to disk holds no secret that is known. */
  redact?(text: string): Promise<string>;
  /** Hears why something could not be written. */
  onFault?(error: unknown): void;
}): KeptResults {
  /** In the order of their last use. */
  const kept = new Map<string, KeptText & { readonly session: SessionScope }>();
  let keptChars = 0;
  const drop = (uri: string, text: string) => {
    kept.delete(uri);
    keptChars -= text.length;
  };
  /** By URI. */
  const writing = new Map<string, Promise<void>>();
  const write = ({ uri, ...whole }: KeptText, user: string | undefined) => {
    if (!disk) return;
    const put = redact(whole.text)
      .then((text) => disk.put(uri.slice(KEPT_RESULTS.length), { ...whole, user, text }))
      .catch(onFault)
      .finally(() => writing.delete(uri));
    writing.set(uri, put);
  };
  const keepers = new WeakSet<SessionScope>();
  const forget = (session: SessionScope) => {
    for (const each of [...kept.values()]) if (each.session === session) drop(each.uri, each.text);
  };
  return {
    maxResultChars,
    keep(session, { mimeType, text, whose }, user) {
      const uri = KEPT_RESULTS + crypto.randomUUID();
      const whole = { uri, mimeType, text, ...(whose === undefined ? {} : { whose }) };
      write(whole, user);
      if (session.hasEnded) return whole;
      if (!keepers.has(session)) {
        keepers.add(session);
        session.onEnd(() => forget(session));
      }
      kept.set(uri, { session, ...whole });
      keptChars += text.length;
      for (const oldest of kept.values()) {
        if (keptChars <= maxKeptChars || oldest.uri === uri) break;
        drop(oldest.uri, oldest.text);
      }
      return whole;
    },
    read(session, uri) {
      const found = kept.get(uri);
      if (found?.session !== session) return undefined;
      kept.delete(uri);
      kept.set(uri, found);
      const { session: _, ...whole } = found;
      return whole;
    },
    async find({ session, user }, uri) {
      const own = this.read(session, uri);
      if (own || !disk || !uri.startsWith(KEPT_RESULTS)) return own;
      const stored = await disk.get(uri.slice(KEPT_RESULTS.length), user);
      if (!stored) return undefined;
      const { user: _, ...whole } = stored;
      return { uri, ...whole };
    },
    async written(uris = [...writing.keys()]) {
      await Promise.all(uris.map((uri) => writing.get(uri)));
    },
    ids: (session) =>
      [...kept.values()]
        .filter((each) => each.session === session)
        .map(({ uri }) => uri.slice(KEPT_RESULTS.length)),
  };
}
