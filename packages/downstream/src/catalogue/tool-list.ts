import { createHash } from 'node:crypto';
import { hasPattern } from '../definitions/bounds.ts';
import { ListedTool } from '../definitions/listed-tool.ts';
import { type DefinitionFault, readTools } from '../definitions/read-definitions.ts';
import { pinHash } from '../pins/pinned-fields.ts';

/** A server's list of tools, checked and hashed, and still text. */
export interface ToolList {
  /** All that was listed, as JSON. */
  readonly text: string;
  /** Of that text. */
  readonly hash: string;
  readonly tools: readonly ListedTool[];
  /** Where each of them begins in the text, and where it ends. */
  readonly spans: readonly number[];
  readonly faults: readonly DefinitionFault[];
  /** How many of what was listed are left out for those faults. */
  readonly leftOut: number;
  /** Whether any has a pattern to match by. */
  readonly hasPattern: boolean;
}

/** What reading a list found, in few values: kept beside the text, so that the next process need not read it. */
interface Digest extends Omit<ToolList, 'text' | 'tools'> {
  /** Of the build that read it: another one may judge otherwise. */
  readonly build: string;
  readonly names: readonly string[];
  /** One after the other. */
  readonly hashes: string;
}

const HASH_CHARS = 64;

/** Reads what a server listed. */
export function readList(raw: readonly unknown[]): ToolList {
  const { definitions, faults, leftOut } = readTools(raw);
  const places = new Map<unknown, readonly [from: number, to: number]>();
  let text = '[';
  for (const each of raw) {
    const json = JSON.stringify(each);
    if (text.length > 1) text += ',';
    places.set(each, [text.length, text.length + json.length]);
    text += json;
  }
  text += ']';
  const spans = definitions.flatMap((definition) => places.get(definition) ?? []);
  const tools = definitions.map((definition, at) =>
    toolAt({ text, spans }, at, { name: definition.name, hash: pinHash(definition) }),
  );
  return { text, hash: hashOf(text), tools, spans, faults, leftOut, hasPattern: hasPattern(definitions) };
}

/** For the record of a list. */
export function digestOf(
  { hash, tools, spans, faults, leftOut, hasPattern }: ToolList,
  build: string,
): string {
  const names = tools.map(({ name }) => name);
  const hashes = tools.map((tool) => tool.hash).join('');
  return JSON.stringify({ build, hash, names, hashes, spans, faults, leftOut, hasPattern } satisfies Digest);
}

/** The list that this text was read as; undefined where another text or another build was read. */
export function listByDigest(text: string, digest: string | null, build: string): ToolList | undefined {
  if (digest === null) return undefined;
  const { build: by, names, hashes, ...found } = JSON.parse(digest) as Digest;
  if (by !== build || found.hash !== hashOf(text)) return undefined;
  const tools = names.map((name, at) => {
    const hash = hashes.slice(at * HASH_CHARS, (at + 1) * HASH_CHARS);
    return toolAt({ text, spans: found.spans }, at, { name, hash });
  });
  return { text, tools, ...found };
}

function toolAt(
  { text, spans }: Pick<ToolList, 'text' | 'spans'>,
  at: number,
  { name, hash }: { readonly name: string; readonly hash: string },
): ListedTool {
  return new ListedTool(name, hash, text.slice(spans[2 * at], spans[2 * at + 1]));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
