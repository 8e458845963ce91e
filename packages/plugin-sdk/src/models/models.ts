import type { z } from 'zod';
import type { Conversation, ConverseRequest } from './converse.ts';
import type {
  Generated,
  GeneratedObject,
  GenerateRequest,
  ModelCaller,
  ModelCategory,
  ObjectRequest,
} from './generate.ts';
import type { ModelOutcomes, OutcomeQuery, RouteRequest, Routing } from './route.ts';

/** One model there is. */
export interface ModelEntry {
  /** `provider:name`. */
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  /** Tokens that it reads at most; absent where not known. */
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** US dollars per million tokens; absent where not known. */
  readonly price?: { readonly input: number; readonly output: number; readonly cachedInput?: number };
  /** When price and windows were looked up, ISO 8601; `config` where the config states them. */
  readonly asOf?: string;
  /** Kinds of content beside text that it reads. */
  readonly reads: readonly ('image' | 'audio' | 'pdf')[];
  /** `native`: the provider knows tools; `described`: told in the prompt and read from the answer. */
  readonly tools: 'native' | 'described';
  /** From 0 to 1, declared per category. */
  readonly quality: Readonly<Record<ModelCategory, number>>;
}

/** What a provider's own list of models says of one. */
export interface LookedUp {
  readonly isOffered: boolean;
  /** With all that is known of it: the config's word first, then the provider's, then the table's. */
  readonly entry: ModelEntry;
  /** Names of its list that are like it, where it is not on it. */
  readonly nearest: readonly string[];
  /** How long the list is. */
  readonly offered: number;
}

/** Where models come from, looked for at start without asking any network. */
export interface ModelProvider {
  /** Such as `anthropic`, `claude` (its command line), `host` (the connected client's own model). */
  readonly name: string;
  readonly kind: 'api' | 'cli' | 'host';
  readonly isFound: boolean;
  /** How it was found, or why it was not and what to do. */
  readonly reason: string;
  readonly models: readonly ModelEntry[];
}

/** How a piece of a model's work turned out: by a review, by what was run, by somebody's word. */
export interface JudgedWork {
  /** Of this piece of work: what is said of it later takes the place of what was said before. */
  readonly key: string;
  readonly isGood: boolean;
  /** What showed it. */
  readonly source: string;
  /** The model that did it, or the run: then all models that answered in it and in those below it. */
  readonly by: { readonly model: string; readonly category: ModelCategory } | { readonly rootId: string };
}

/**
 * Language models. Every call is held to its provider's limits, made again only where that helps, paid from
 * the ledger, and recorded with its outcome.
 */
export interface Models {
  /** In the config's order. With a caller, the host's own model is listed as that caller offers it. */
  list(caller?: Partial<ModelCaller>): Promise<readonly ModelProvider[]>;
  /**
   * One answer of a model.
   * @throws {ToolError} NEXUS_NO_MODEL, NEXUS_MODEL_UNAVAILABLE, NEXUS_MODEL_RATE_LIMITED,
   * NEXUS_MODEL_REJECTED, NEXUS_MODEL_REFUSED, NEXUS_BUDGET_EXCEEDED; and the reason of the caller's signal
   */
  generate(request: GenerateRequest, caller: ModelCaller): Promise<Generated>;
  /**
   * One answer that fits a schema; one that does not is given back once with what is wrong.
   * @throws {ToolError} as `generate`, and NEXUS_MODEL_OUTPUT when the second does not fit either
   */
  object<Schema extends z.ZodType>(
    request: ObjectRequest<Schema>,
    caller: ModelCaller,
  ): Promise<GeneratedObject<z.output<Schema>>>;
  /**
   * Model and tools by turns until the model answers without a tool.
   * @throws {ToolError} as `generate`; tools that fail are told to the model
   */
  converse(request: ConverseRequest, caller: ModelCaller): Promise<Conversation>;
  /**
   * The model that the recorded outcomes and declared figures speak for, and why.
   * @throws {ToolError} NEXUS_NO_MODEL
   */
  route(request: RouteRequest, caller?: Partial<ModelCaller>): Promise<Routing>;
  /**
   * Asks the provider itself whether it has a model, and what it says of it. Records nothing.
   * @throws {ToolError} NEXUS_NO_MODEL where there is no such provider or no access to it;
   * NEXUS_MODEL_UNAVAILABLE where it can't be asked
   */
  lookUp(model: { readonly provider: string; readonly name: string }, caller: ModelCaller): Promise<LookedUp>;
  /** What was recorded, by model and category. */
  outcomes(query?: OutcomeQuery): Promise<readonly ModelOutcomes[]>;
  /**
   * Puts on record how work turned out, by which the router weighs models from then on. Never fails for whoever
   * judges: what can't be written is logged.
   * @returns the models that it is told of
   */
  judge(work: JudgedWork): Promise<readonly string[]>;
}
