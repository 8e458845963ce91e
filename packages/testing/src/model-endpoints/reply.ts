/** What a scripted endpoint answers to one request. */
export type Reply = GoodReply | FailedReply | RawReply | HangingReply;

export interface GoodReply {
  readonly text?: string;
  readonly tools?: readonly {
    readonly name: string;
    readonly input: Readonly<Record<string, unknown>>;
    /** Of OpenAI's Responses, where a server's tools stand in one. */
    readonly namespace?: string;
    /** Default: unique at the endpoint. */
    readonly id?: string;
  }[];
  /** Default 10 and 5, none cached; `input` includes what was read from the cache, and written into it. */
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cached?: number;
    readonly written?: number;
  };
  readonly stop?: 'refusal' | 'length';
  /** The connection is cut after this many characters of text. */
  readonly breakAfter?: number;
  /** Nothing is sent before this settles. */
  readonly until?: Promise<unknown>;
}

export interface FailedReply {
  readonly status: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The error comes inside a stream that began well. */
  readonly inStream?: true;
}

/** Status 200 with what is no answer. */
export interface RawReply {
  readonly raw: string;
}

/** The request is never answered. */
export interface HangingReply {
  readonly hangs: true;
}

/** A reply with every preset put in, as each wire format writes it. */
export interface FullReply {
  readonly text: string;
  readonly tools: readonly {
    readonly id: string;
    readonly name: string;
    readonly namespace?: string;
    readonly input: object;
  }[];
  readonly usage: {
    readonly input: number;
    readonly output: number;
    readonly cached: number;
    readonly written: number;
  };
  readonly stop: 'refusal' | 'length' | 'tools' | 'end';
}

export type Body = Readonly<Record<string, unknown>>;

/** One provider's wire format: how it is known, what it demands, and how it answers. */
export interface Wire {
  readonly name: 'anthropic' | 'openai-chat' | 'openai-responses' | 'google';
  matches(path: string): boolean;
  streams(path: string, body: Body): boolean;
  /** The header that must hold the key. */
  readonly keyHeader: string;
  /** What the provider itself would refuse, in its words; undefined for a request that it takes. */
  fault(body: Body): string | undefined;
  error(status: number, message: string): object;
  whole(reply: FullReply, body: Body): object;
  /** Server-sent events, each whole. */
  events(reply: FullReply, body: Body): readonly string[];
}

/** A text in pieces, as models stream it. */
export function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,7}/g) ?? [];
}

export function records(value: unknown): Body[] {
  return Array.isArray(value) ? value.filter(isBody) : [];
}

export function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names of which one is no tool's name to any provider. */
export function badName(names: readonly unknown[]): string | undefined {
  const bad = names.find((name) => typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name));
  return bad === undefined
    ? undefined
    : `tool name ${JSON.stringify(bad)} does not match ^[a-zA-Z0-9_-]{1,64}$`;
}
