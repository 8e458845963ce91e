/** Places of the world that tools ask by name, each with a section `sources.<name>` in the config. */
export const sourceNames = ['arxiv', 'crossref', 'openalex', 'semantic_scholar', 'github'] as const;

export type SourceName = (typeof sourceNames)[number];

/** What was fetched, and when. */
export interface Fetched {
  /** Where the answer came from, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string | undefined;
  /** In lower case: what it is, whether it changed, where more of it is, and what the source has left. */
  readonly headers: Readonly<Record<string, string>>;
  /** Unpacked. */
  readonly body: Uint8Array;
  /** SHA-256 of the body, in hex. */
  readonly sha256: string;
  /** Epoch milliseconds at which the source last said that this is its answer. */
  readonly fetchedAt: number;
  /** Nothing was sent, since what is kept is recent enough; or the source said that it has not changed. */
  readonly isFromCache: boolean;
  /** The source could not be asked, for this reason; the answer is what it said at `fetchedAt`. */
  readonly staleBecause?: string;
}

export interface FetchOptions {
  readonly accept?: string;
  /** How old what is kept may be to be answered with unasked, in milliseconds; by default as its source changes. */
  readonly maxAgeMs?: number;
  /** Default 10 MiB, unpacked. */
  readonly maxBytes?: number;
  readonly signal: AbortSignal;
  /** Told while it waits for a source's turn, or tries again. */
  readonly progress?: (message: string) => void;
}

export interface SourceRequest extends FetchOptions {
  /** Below the source's base URL; it may have a query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Default GET. Any other is sent once, neither kept nor answered from what is kept, and follows no redirect. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** JSON. */
  readonly body?: string;
  /**
   * Asks once and gives an answer of any status: for a client that has its own way with refusals. What the source
   * says of its limits holds all the same.
   */
  readonly isRaw?: boolean;
}

/** What a source lets be asked. */
export interface SourceStatus {
  readonly source: SourceName;
  readonly baseUrl: string;
  /** Whether the config has a key for it; without one a source gives less, or little. */
  readonly hasKey: boolean;
  /** False where the config turned it off. */
  readonly isEnabled: boolean;
  /** Requests that the source said are left; undefined where it says none. */
  readonly remaining: number | undefined;
  /** Milliseconds until it may be asked again; 0 now. */
  readonly inMs: number;
}

/**
 * The one way out of the machine for tools. Nothing that is not of the open internet is reached unless
 * `sources.allowHosts` names it; redirects are held to the same. What a source answered is kept and asked for again
 * only by its own validators; each source's limits count for all processes and machines of the project.
 */
export interface Fetching {
  /**
   * Asks a source by a path below its base URL.
   * @throws {ToolError} NEXUS_RATE_LIMITED with `detail.retryAfterMs` where it has no turn soon; NEXUS_DENIED where
   * it is turned off; NEXUS_UNAVAILABLE
   */
  source(name: SourceName, request: SourceRequest): Promise<Fetched>;
  /**
   * Fetches a URL that a caller or a page named.
   * @throws {ToolError} NEXUS_DENIED, NEXUS_INVALID_ARGUMENTS, NEXUS_UNAVAILABLE
   */
  url(url: string, options: FetchOptions): Promise<Fetched>;
  /** What is kept of a URL that was fetched before, whatever its age; nothing is sent. */
  kept(url: string): Promise<Fetched | undefined>;
  status(name: SourceName): Promise<SourceStatus>;
}
