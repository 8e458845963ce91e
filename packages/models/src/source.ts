import type {
  GenerateRequest,
  ModelBlock,
  ModelCaller,
  ModelEntry,
  ModelEvent,
  ModelMessage,
  ModelTool,
} from '@nexus/plugin-sdk';

/** One request as every source gets it: checked, with the model chosen and every preset put in. */
export interface SourceRequest {
  readonly entry: ModelEntry;
  readonly messages: readonly ModelMessage[];
  readonly system: string | undefined;
  readonly tools: readonly ModelTool[];
  readonly toolChoice: NonNullable<GenerateRequest['toolChoice']>;
  /** The answer is to be JSON of this schema. */
  readonly outputSchema: Readonly<Record<string, unknown>> | undefined;
  readonly maxOutputTokens: number;
  readonly temperature: number | undefined;
  readonly idempotencyKey: string | undefined;
  readonly caller: ModelCaller;
  readonly emit: (event: ModelEvent) => void;
  /** Gets a good answer as it came, before anything is made of it. */
  readonly keep?: ((raw: RawAnswer) => void) | undefined;
}

/** An answer as its provider sent it, whole: enough to read it again. */
export interface RawAnswer {
  /** The type of its content. */
  readonly type: string;
  readonly body: string;
}

/** What a source says of the tokens of one answer. */
export interface SourceUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  /** Of the input: put into the provider's cache for the next request, where that has a price of its own. */
  readonly cacheWriteTokens?: number;
  /** Where the provider itself says what it cost. */
  readonly costUsd?: number;
}

export interface SourceAnswer {
  readonly content: readonly ModelBlock[];
  readonly stopReason: 'end' | 'tool_use' | 'length' | 'other';
  /** Undefined where the provider does not say. */
  readonly usage: SourceUsage | undefined;
}

/** One model as its provider lists it. */
export interface OfferedModel {
  readonly name: string;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
}

/** Where models come from, whole: one API, one command line, or the host. */
export interface ModelSource {
  readonly name: string;
  readonly kind: 'api' | 'cli' | 'host';
  /** Why it can be used by this caller, or why not and what to do; without a network. */
  find(caller: Partial<ModelCaller>): { readonly isFound: boolean; readonly reason: string };
  readonly models: readonly ModelEntry[];
  readonly concurrency: number;
  readonly requestsPerMinute: number | undefined;
  /** Each session has its own: limits are each session's. */
  readonly ofSession?: boolean;
  /**
   * The provider's own list of its models; absent where it can't be asked for one.
   * @throws {ModelFailure}, or the reason of the signal
   */
  listOffered?(signal: AbortSignal): Promise<readonly OfferedModel[]>;
  /** @throws {ModelFailure}, or the reason of the caller's signal */
  ask(request: SourceRequest): Promise<SourceAnswer>;
  /**
   * Makes of an answer that came before what `ask` would have made of it; absent where none is kept as it comes.
   * @throws {ModelFailure}, or the reason of the caller's signal
   */
  read?(raw: RawAnswer, request: SourceRequest): Promise<SourceAnswer>;
}
