import type { ReadableText, ToolCallResult } from '@nexus/plugin-sdk';
import {
  apartFromAttribution,
  counted,
  cutJson,
  cutText,
  fewerText,
  OWN_SENTENCES,
  shareOut,
  shrinkJson,
} from '@nexus/primitives';
import { begunResult } from './begun-result.ts';
import type { KeptText } from './kept-results.ts';
import { asCutBlock, type Block, besideText, mimeTypeOf, textOf, withText } from './shown-blocks.ts';

/** Blocks of one result that reach the model, however short: each has a price of its own. */
const MAX_BLOCKS = 500;
/** Where the texts are cut: a smaller share says less than the note and the link that stand for the rest of it. */
const MIN_SHARE_CHARS = 1000;
/** So many have less each, as long as that holds the note. */
const MIN_BLOCKS = 10;
const LEAST_SHARE_CHARS = 400;
/** Of what is cut, what says so of all of it together. */
const NOTE_CHARS = 250;
/** Beside all that, links to what is kept have so much, and no more than such a part of it: each text names its own. */
const LINKS_CHARS = 1_000;
const LINKS_SHARE = 1 / 4;

/** Under this key of `_meta` a result that was cut says so, and where the whole is; a structure of it, too. */
const CUT_META_KEY = 'nexus/cut';
/** What a member of that name has beside what it says. */
const MARK_CHARS = `"${CUT_META_KEY}":"",`.length;
/** With a list and its numbers. */
const LEAST_MARK_CHARS = MARK_CHARS + 60;

export interface ResultLimit {
  /** Characters of all that the model may get: texts, what is shown of other blocks, and structured content together. */
  readonly maxChars: number;
  /** Puts a text where the client can read it. */
  keep(whole: ReadableText): KeptText;
  /** Whether the client's protocol has `resource_link` (MCP 2025-06-18 on); others refuse the whole result. */
  readonly knowsLinks: boolean;
  /**
   * Whether a shorter structure still keeps the output schema that the tool is listed with; undefined where
   * none is listed. Asked only of a result that is too long.
   */
  fitsSchema(structure: unknown): boolean | undefined;
  /** Whether it is an answer of Nexus's own, and no result of another server's. */
  readonly isOwn?: boolean;
}

/**
 * A result that is too long for a host's model, cut to the head and tail of its long texts, what is JSON of them and
 * its structure to the same shape with less in it, so that all of it and what is said of it are no longer than may be; the
 * whole of each is kept, named in the text, linked, and stated in `_meta`. Any other result is returned as it is.
 *
 * Where a cut structure would break what its output schema promises, it stays whole; where nothing is promised, the same
 * shape with less in it breaks nothing.
 */
export function limitResult(given: ToolCallResult, limit: ResultLimit): ToolCallResult {
  if (!Array.isArray(given.content)) return given;
  const { whose, content, at } = apartFromAttribution(given.content);
  const line = given.content[at];
  if (whose === undefined || line === undefined) return limited(given, limit);
  // The line stays whole, and whoever reads on what is kept is told the same.
  const of: ResultLimit = {
    maxChars: limit.maxChars - textOf(line).length,
    keep: (whole) => limit.keep({ ...whole, whose }),
    knowsLinks: limit.knowsLinks,
    fitsSchema: (structure) => limit.fitsSchema(structure),
    isOwn: limit.isOwn ?? false,
  };
  const rest = { ...given, content: [...content] };
  const shown = limited(rest, of);
  return shown === rest ? given : { ...shown, content: shown.content.toSpliced(at, 0, line) };
}

function limited(given: ToolCallResult, limit: ResultLimit): ToolCallResult {
  const { maxChars } = limit;
  if (isShort(given, maxChars)) return given;
  const content = given.content.map((block) => asCutBlock(block, maxChars));
  const noteChars = Math.min(NOTE_CHARS, maxChars / 4);
  const room = blocksThatFit(content, { maxChars, left: maxChars - noteChars });
  if (room === content.length) return cutTexts({ ...given, content }, limit, maxChars);
  const first = { ...given, content: content.slice(0, room) };
  return withRest(cutTexts(first, limit, maxChars - noteChars), given.content, { room, limit });
}

/** How many of the first blocks are shown: what can't be cut of them whole, and of each text at least a share. */
function blocksThatFit(
  content: readonly Block[],
  { maxChars, left: room }: { readonly maxChars: number; readonly left: number },
): number {
  const share = room / textsThatFit(maxChars);
  // Where blocks are left out in any case, what says so takes of the room.
  const isLong = charsOf(content, maxChars) > (content.length > MAX_BLOCKS ? room : maxChars);
  let left = room;
  const end = content.findIndex((block, at) => {
    left -= isLong ? Math.min(textOf(block).length, share) + besideText(block, maxChars) : 0;
    return at === MAX_BLOCKS || (left < 0 && at > 0);
  });
  return end < 0 ? content.length : end;
}

function textsThatFit(maxChars: number): number {
  const least = Math.min(MIN_BLOCKS, Math.floor(maxChars / LEAST_SHARE_CHARS));
  return Math.max(1, least, Math.floor(maxChars / MIN_SHARE_CHARS));
}

function cutTexts(result: ToolCallResult, limit: ResultLimit, maxChars: number): ToolCallResult {
  const texts = result.content.map(textOf);
  const { structuredContent, ...rest } = result;
  const structure = structuredContent === undefined ? '' : JSON.stringify(structuredContent);
  const lengths = [...texts.map((text) => text.length), structure.length];
  const beside = result.content.reduce((sum, block) => sum + besideText(block, limit.maxChars), 0);
  if (lengths.reduce((sum, length) => sum + length, beside) <= maxChars) return result;
  const begun = limit.isOwn === true ? begunResult(result, limit, maxChars - beside) : undefined;
  if (begun) return withWholes(begun.result, begun.kept, limit);
  const kept: KeptText[] = [];
  const keep = (text: string, mimeType: string) => {
    const whole = limit.keep({ text, mimeType });
    kept.push(whole);
    return whole;
  };
  /** Our own tools say their structure as text too: one whole of both is enough. */
  const keepStructure = () =>
    kept.find(({ text }) => text === structure) ?? keep(structure, 'application/json');
  const noteChars = structure === '' ? 0 : Math.min(NOTE_CHARS, maxChars / 8);
  // In the structure once more, or shorter, where there is room for that.
  const markChars = noteChars < LEAST_MARK_CHARS ? 0 : noteChars;
  const shares = shareOut(lengths, Math.max(0, maxChars - beside - noteChars - markChars));
  const content = result.content.map((block, index) => {
    const text = texts[index] ?? '';
    const share = shares[index] ?? 0;
    if (text.length === share) return block;
    const { uri } = keep(text, mimeTypeOf(block));
    return withText(block, cutJson(text, share, uri) ?? cutText(text, share, uri));
  });
  const structureShare = shares[texts.length] ?? 0;
  const shorter =
    structure.length <= structureShare
      ? structuredContent
      : shorterStructure(structuredContent, structureShare, {
          limit,
          whereWhole: () => keepStructure().uri,
        });
  if (kept.length === 0) return result;
  const isCut = shorter !== undefined && shorter !== structuredContent;
  const note = isCut
    ? noteOn(structuredContent, shorter, { room: noteChars, uri: keepStructure().uri })
    : undefined;
  if (note !== undefined) content.push({ type: 'text', text: note });
  const cut = {
    ...rest,
    content,
    ...(shorter === undefined
      ? {}
      : {
          structuredContent: marked(shorter, {
            notes: [note, fewerText(structuredContent, shorter, { room: markChars - MARK_CHARS })],
            room: markChars - MARK_CHARS,
            limit,
          }),
        }),
  };
  return withWholes(cut, kept, limit);
}

/** States where the wholes are of what was cut, and links to them. */
function withWholes(result: ToolCallResult, kept: readonly KeptText[], limit: ResultLimit): ToolCallResult {
  return {
    ...result,
    _meta: withCut(result._meta, kept),
    content: [...result.content, ...linksTo(kept, limit)],
  };
}

/** Says of which lists and objects a structure has fewer, and where the whole is; undefined where it has all of them. */
function noteOn(
  whole: ToolCallResult['structuredContent'],
  shorter: ToolCallResult['structuredContent'],
  { room, uri }: { readonly room: number; readonly uri: string },
): string | undefined {
  const [before = ''] = OWN_SENTENCES.structureHas.texts;
  const saidWith = (after: string) => {
    const fewer = fewerText(whole, shorter, { room: room - before.length - after.length });
    return fewer === undefined ? undefined : before + fewer + after;
  };
  const said = saidWith(OWN_SENTENCES.structureWhole(uri));
  // Where there is hardly any room, the link beside it says where.
  return said === undefined || said.length <= room ? said : saidWith(' …]');
}

/**
 * Some hosts show their model a structure alone, without the texts beside it: so it says this itself, where it may, by
 * the first of these notes that there is room for.
 */
function marked(
  structure: NonNullable<ToolCallResult['structuredContent']>,
  { notes, room, limit }: { notes: readonly (string | undefined)[]; room: number; limit: ResultLimit },
): NonNullable<ToolCallResult['structuredContent']> {
  const note = notes.find((each) => each !== undefined && each.length <= room);
  if (note === undefined) return structure;
  // First, where it is read; and ours, though a server has a member of that name.
  const { [CUT_META_KEY]: _, ...others } = structure;
  const says = { [CUT_META_KEY]: note, ...others };
  return limit.fitsSchema(says) === false ? structure : says;
}

/**
 * Says how many blocks are left out after the first; their whole is one resource, so that neither the answer nor
 * what is kept grows with the number of blocks.
 */
function withRest(
  result: ToolCallResult,
  all: readonly Block[],
  { room, limit }: { room: number; limit: ResultLimit },
): ToolCallResult {
  const rest = all.slice(room);
  const whole = limit.keep({ text: JSON.stringify(rest), mimeType: 'application/json' });
  const note = OWN_SENTENCES.blocksLeftOut(
    `${rest.length} of ${counted(all.length, 'block')} with ${counted(charsIn(rest), 'character')}`,
    whole.uri,
  );
  return withWholes(
    { ...result, content: [...result.content, { type: 'text', text: note }] },
    [whole],
    limit,
  );
}

/** States what was cut, beside what was stated before. */
function withCut(meta: ToolCallResult['_meta'], kept: readonly KeptText[]) {
  const before = Object(meta?.[CUT_META_KEY]).whole;
  const whole = [...(Array.isArray(before) ? before : []), ...kept.map(({ uri }) => uri)];
  return { ...meta, [CUT_META_KEY]: { whole } };
}

/** Most results are, and nothing is made for them. */
function isShort({ content, structuredContent }: ToolCallResult, maxChars: number): boolean {
  const left = maxChars - charsOf(content, maxChars);
  if (content.length > MAX_BLOCKS || left < 0) return false;
  return structuredContent === undefined || JSON.stringify(structuredContent).length <= left;
}

/** What a host shows of blocks, in characters. */
function charsOf(blocks: readonly Block[], maxChars: number): number {
  let chars = 0;
  for (const block of blocks) chars += textOf(block).length + besideText(block, maxChars);
  return chars;
}

function shorterStructure(
  structure: ToolCallResult['structuredContent'],
  share: number,
  { limit, whereWhole }: { limit: ResultLimit; whereWhole: () => string },
): ToolCallResult['structuredContent'] {
  const shorter = shrinkJson(structure, share, whereWhole()) as ToolCallResult['structuredContent'];
  return limit.fitsSchema(shorter) === false ? structure : shorter;
}

function charsIn(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + textOf(block).length, 0);
}

/** To as many as have room, and to one at least. */
function linksTo(kept: readonly KeptText[], limit: ResultLimit): readonly Block[] {
  if (!limit.knowsLinks) return [];
  let left = Math.min(LINKS_CHARS, LINKS_SHARE * limit.maxChars);
  const links = kept.map(toLink);
  const end = links.findIndex((link, at) => {
    left -= besideText(link, limit.maxChars);
    return left < 0 && at > 0;
  });
  return end < 0 ? links : links.slice(0, end);
}

function toLink({ uri, mimeType, text }: KeptText): Block {
  return {
    type: 'resource_link',
    uri,
    name: 'whole-result',
    title: 'The whole text',
    description: `All ${text.length} characters; readable by this URI for a day.`,
    mimeType,
    size: Buffer.byteLength(text),
  } as Block;
}
