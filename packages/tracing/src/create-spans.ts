import type { Span, Spans } from '@nexus/plugin-sdk';
import { cutEndCounted } from '@nexus/primitives';

/** One place that finished spans go to. */
export interface SpanSink {
  wants(trace: { readonly family?: string | undefined }): boolean;
  /** May throw: the others get the span all the same. */
  take(span: Span): void;
}

export interface SpansParts {
  /** Whether texts of users are told of, too. */
  readonly contents: boolean;
  /** Masks secrets in what may have some. */
  redact(text: string): string;
  /** What a sink came to that could not take a span. */
  onFault(error: unknown): void;
}

/** Hands each span to all who take those of its trace. Without any, none is made. */
export class SpanHub implements Spans {
  readonly #sinks: SpanSink[] = [];
  readonly #parts: SpansParts;
  readonly contents: boolean;

  constructor(parts: SpansParts) {
    this.#parts = parts;
    this.contents = parts.contents;
  }

  add(sink: SpanSink): void {
    this.#sinks.push(sink);
  }

  wants(trace: { readonly family?: string | undefined }): boolean {
    for (const sink of this.#sinks) if (sink.wants(trace)) return true;
    return false;
  }

  end(span: Span): void {
    const shown = this.#redacted(span);
    for (const sink of this.#sinks) {
      try {
        if (sink.wants(span)) sink.take(shown);
      } catch (error) {
        this.#parts.onFault(error);
      }
    }
  }

  /** Ids, numbers and names of the conventions hold no secrets: what is somebody's words may. */
  #redacted(span: Span): Span {
    const { redact } = this.#parts;
    const shown = span.error === undefined ? span : { ...span, error: redact(span.error) };
    if (!CONTENTS.some((name) => span.attributes[name] !== undefined)) return shown;
    const attributes = { ...span.attributes };
    for (const name of CONTENTS) {
      const text = attributes[name];
      // Cut after it is redacted: half a secret would not be known for one.
      if (typeof text === 'string') attributes[name] = this.contents ? cut(redact(text)) : undefined;
    }
    return { ...shown, attributes };
  }
}

/** What may be somebody's words. */
const CONTENTS = [
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
  'gen_ai.system_instructions',
  'gen_ai.input.messages',
  'gen_ai.output.messages',
];

/** Characters of one text that a span has at most. */
const MAX_CONTENT = 32_768;

function cut(text: string): string {
  return cutEndCounted(text, MAX_CONTENT);
}
