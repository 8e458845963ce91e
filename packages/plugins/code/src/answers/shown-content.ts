import { isDeepStrictEqual } from 'node:util';
import type { ToolCallResult } from '@nexus/plugin-sdk';
import { cutEnd, cutEndCounted, joinSplitJson, OWN_SENTENCES, readResult } from '@nexus/primitives';

type Block = ToolCallResult['content'][number];
type Members = Readonly<Record<string, unknown>>;

/**
 * All blocks of a result as text, in their order: of links where they lead, of embedded resources their text.
 * @returns with what of the result is nowhere in what a reader of its structure, or else of this text, gets
 */
export function shownContent(
  { content, structuredContent, isError, _meta: meta }: ToolCallResult,
  tool: string,
): { readonly text: string; readonly metaNote?: string; readonly lacks?: string } {
  const text = joinSplitJson(content.map((block) => shownBlock(block, tool))).join('\n');
  const readsStructure = structuredContent !== undefined && !isError;
  const lacking = content
    .filter((block) => block.type !== 'text' && (readsStructure || !hasText(block)))
    .map((block) => headOf(block));
  const keys = Object.keys(meta ?? {}).filter((key) => !key.startsWith(OWN_META));
  const metaLack =
    keys.length === 0 ? undefined : `_meta with ${keys.map((key) => JSON.stringify(key)).join(', ')}`;
  const all = cutEndCounted([...lacking, ...(metaLack ? [metaLack] : [])].join('; '), MAX_LACKS_CHARS);
  return {
    text,
    ...(metaLack && { metaNote: notShown(cutEndCounted(metaLack, MAX_LACKS_CHARS), tool) }),
    ...(all !== '' && { lacks: `Without ${all}: call ${tool} directly.` }),
  };
}

/** Which numbers of a result's structure are not as its server wrote them; its texts are as they came. */
export function roundedNote(meta: Members | undefined): string | undefined {
  const paths = meta?.['nexus/rounded'];
  if (!Array.isArray(paths) || paths.length === 0) return undefined;
  return OWN_SENTENCES.rounded(cutEndCounted(paths.join(', '), MAX_LACKS_CHARS));
}

/** A block as a model reads it; of what is no text, what it is and how to get it. */
export function shownBlock(block: Block, tool: string): string {
  if (block.text !== undefined) return block.text;
  if (!hasText(block)) return notShown(headOf(block), tool);
  const { text } = resourceOf(block);
  return typeof text === 'string' ? `[${headOf(block)}]\n${text}` : `[${headOf(block)}]`;
}

function notShown(what: string, tool: string): string {
  return OWN_SENTENCES.notShown(what, tool);
}

/** Whether the text is what the structure says, as JSON. */
export function isSaidBy(text: string, structure: Members): boolean {
  const read = readResult(text);
  return typeof read !== 'string' && isDeepStrictEqual(read, JSON.parse(JSON.stringify(structure)));
}

/** Keys of Nexus's own, which an op's answer tells where they matter. */
const OWN_META = 'nexus/';

const MAX_LACKS_CHARS = 300;
/** As long as one may be that can be read. */
const MAX_URI_CHARS = 2_000;
const MAX_WORDS_CHARS = 200;

/** Whether words say all of it: where a link leads, or a resource's text. */
function hasText(block: Block): boolean {
  if (block.type === 'text') return true;
  const { uri } = resourceOf(block);
  if (typeof uri === 'string' && uri.length > MAX_URI_CHARS) return false;
  return block.type === 'resource_link' || typeof resourceOf(block).text === 'string';
}

function resourceOf(block: Block): Members {
  const members = block as unknown as Members;
  return Object(block.type === 'resource' ? members.resource : members) as Members;
}

function headOf(block: Block): string {
  const { uri, name, description, mimeType, data, blob } = resourceOf(block);
  const bytes = [data, blob].find((each) => typeof each === 'string') as string | undefined;
  const said = [
    typeof uri === 'string' ? cutEnd(uri, MAX_URI_CHARS) : undefined,
    ...[name, description, mimeType].map((each) =>
      typeof each === 'string' ? cutEnd(each, MAX_WORDS_CHARS) : undefined,
    ),
    bytes === undefined ? undefined : `${Buffer.byteLength(bytes, 'base64')} bytes`,
  ].filter((each) => each !== undefined);
  return [block.type, said.join(', ')].join(' ').trimEnd();
}
