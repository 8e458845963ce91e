import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { FileOfTask } from './tasks.ts';

/** What some work asked of models, over all its calls. */
export interface Effort {
  readonly calls: number;
  /** Of tools, system prompts and messages as JSON. */
  readonly inputTokens: number;
}

/** What was asked over the wire. */
export interface WireEffort extends Effort {
  /** Input tokens less those that begin a request as an earlier one began, which a provider's cache may have. */
  readonly newTokens: number;
}

/** One conversation of the least that work needs. */
export interface LeastTalk {
  readonly prompt: string;
  /** Whole, all asked for at once, in a call before the next. */
  readonly reads?: readonly FileOfTask[];
  /** All made at once, in a call of its own. */
  readonly edits?: string;
}

const SYSTEM = 'You work on a software project and answer what you are asked about it.';

/**
 * What these conversations come to where nothing is said twice: a line for a system prompt, the prompt, the tools
 * where it reads, each file once with its lines numbered. As with every model, a call has all that came before.
 */
export function leastOf(talks: readonly LeastTalk[], kit: readonly object[]): Effort {
  const efforts = talks.map((talk) => leastOfOne(talk, kit));
  return {
    calls: sum(efforts.map(({ calls }) => calls)),
    inputTokens: sum(efforts.map(({ inputTokens }) => inputTokens)),
  };
}

function leastOfOne({ prompt, reads = [], edits }: LeastTalk, kit: readonly object[]): Effort {
  const begin = tokensOf(SYSTEM, prompt, ...(reads.length > 0 ? [JSON.stringify(kit)] : []));
  const read = tokensOf(...reads.map(({ text }) => JSON.stringify(numbered(text))));
  const edited = edits === undefined ? 0 : tokensOf(edits);
  const turns = [begin];
  if (reads.length > 0) turns.push(begin + read);
  if (edits !== undefined) turns.push(begin + read + edited);
  return { calls: turns.length, inputTokens: sum(turns) };
}

/** Of requests as they came over the wire, in order. */
export function effortOf(bodies: readonly Readonly<Record<string, unknown>>[]): WireEffort {
  const texts = bodies.map(({ tools, system, messages }) =>
    JSON.stringify({ tools, system, messages }, unmarked),
  );
  const rests = texts.map((text, at) => text.slice(Math.max(0, ...texts.slice(0, at).map(alike(text)))));
  return { calls: bodies.length, inputTokens: tokensOf(...texts), newTokens: tokensOf(...rests) };
}

/** Marks for a cache move from request to request, and are nothing that a model reads. */
const unmarked = (key: string, value: unknown) => (key === 'cache_control' ? undefined : value);

/** How many characters two texts have in common at their beginning. */
const alike = (text: string) => (other: string) => {
  let length = 0;
  while (length < text.length && text[length] === other[length]) length += 1;
  return length;
};

const numbered = (text: string) =>
  text
    .split('\n')
    .map((line, at) => `${at + 1}: ${line}`)
    .join('\n');

const tokensOf = (...texts: readonly string[]) => sum(texts.map((text) => countTokens(text)));
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
