import type { CataloguedTool, ToolCatalogue } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { isJsonObject, type JsonObject, membersOf } from '../json-object.ts';
import type { RankedTools } from '../ranking/rank-tools.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { ofTheirServers } from './of-their-servers.ts';
import { oneLine } from './one-line.ts';
import { shrinkSchema } from './shrink-schema.ts';
import { typeText } from './type-text.ts';

/** Of the whole answer, by estimate; a tenth below what is promised, since the estimate is no better. */
const MAX_TOKENS = 1_040;
const HIT_TOKENS = 600;
const UNREACHABLE_TOKENS = 180;
/** Of why a server could not be searched: what Nexus says of it itself has room whole. */
const MAX_REASON_CHARS = 200;
/** Of what one tool answers. */
const RESULT_TOKENS = 120;
const WITH_SCHEMA = 3;
const NOTHING_FITS =
  'Nothing fits: no tool has more than half of the words of a query, and these are only the nearest. Ask in keyword phrases, in other words, or do without.';
const CUT = 'isSchemaCut: with limit 1 and words of that tool, more of its schema is shown';

/** How each hit is described, until all have room. */
const DETAILS = [
  { descriptionChars: 160, hasHints: true },
  { descriptionChars: 90, hasHints: true },
  { descriptionChars: 40, hasHints: true },
  { descriptionChars: 0, hasHints: false },
];

const LESSER_CHARS = 90;

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

/** A tool that was found; of the first few there is an inputSchema too, and of what they answer a type. */
export const hit = z.looseObject({
  toolbox: z.string(),
  server: z.string(),
  tool: z.string(),
  description: z.string().optional(),
  score: z.number(),
});

/** A server that could not be searched. */
export const unreached = z.object({ toolbox: z.string(), server: z.string(), reason: z.string() });

/** How the input of the first hits is shown: as it was served, or as a type of TypeScript, which is shorter. */
export type ShownAs = 'schema' | 'types';

export interface Showing {
  readonly as?: ShownAs;
  /** What results looked like so far, by tools whose servers do not say it. */
  readonly shapes?: ReadonlyMap<CataloguedTool, JsonObject>;
  /** Of the first hit. */
  readonly offset?: number;
  /** Characters of text and structure that the host shows. */
  readonly maxChars?: number;
}

/** A host that shows fewer characters has so many fewer tokens. */
const CHARS_FOR_ALL = 6_000;

/** The tools of which an answer shows more than what they are for. */
export function shownWhole({ hits, fits = true }: RankedTools): readonly CataloguedTool[] {
  return fits ? hits.slice(0, WITH_SCHEMA).map(({ tool }) => tool) : [];
}

/** The answer of find_tools, within its tokens whatever was found. */
export function hitList(
  { hits, total, fits = true }: RankedTools,
  unreachable: ToolCatalogue['unreachable'],
  { as = 'schema', shapes = new Map(), offset = 0, maxChars = CHARS_FOR_ALL }: Showing = {},
) {
  const share = Math.min(1, maxChars / CHARS_FOR_ALL);
  const unreached = fitList(unreachable.map(toUnreached), share * UNREACHABLE_TOKENS);
  const bare = describeHits(hits, share);
  let room = share * MAX_TOKENS - tokensOf(bare) - tokensOf(unreached);
  const last = fits ? Math.min(WITH_SCHEMA, bare.length) - 1 : -1;
  const callable = bare.map((hit, index) => {
    const tool = hits[index]?.tool;
    if (!tool || index > last) return hit;
    // The likeliest has the most room, the last what is left.
    const schema = fitSchema(tool, index === last ? room : room / 2, as);
    room -= tokensOf(schema);
    return { ...hit, ...schema };
  });
  // What comes back has the room that what goes in has left.
  const whole = callable.map((hit, index) => {
    const tool = hits[index]?.tool;
    if (!tool || index > last) return hit;
    const result = fitResult(tool, Math.min(room, RESULT_TOKENS), { as, shape: shapes.get(tool) });
    room -= tokensOf(result);
    return { ...hit, ...result };
  });
  return {
    ...ofTheirServers(whole, unreached),
    hits: whole,
    total,
    ...(whole.length > 0 && offset + whole.length < total ? { nextOffset: offset + whole.length } : {}),
    ...noteOn({ fits, isCut: whole.some((hit) => 'isSchemaCut' in hit) && hits.length > 1 }),
    unreachable: unreached,
    ...(unreached.length < unreachable.length ? { unreachableTotal: unreachable.length } : {}),
  };
}

function noteOn({ fits, isCut }: { fits: boolean; isCut: boolean }) {
  if (!fits) return { note: NOTHING_FITS };
  return isCut ? { note: CUT } : {};
}

function describeHits(hits: RankedTools['hits'], share: number) {
  for (const detail of DETAILS) {
    const described = hits.map((hit, place) => describe(hit, place === 0 ? detail : lesser(detail)));
    if (tokensOf(described) <= share * HIT_TOKENS) return described;
  }
  const names = hits.map((hit) => describe(hit, { descriptionChars: 0, hasHints: false }));
  return fitList(names, share * (MAX_TOKENS - UNREACHABLE_TOKENS));
}

/** Of what comes after the likeliest, enough to see whether to look closer. */
function lesser(detail: (typeof DETAILS)[number]): (typeof DETAILS)[number] {
  return { ...detail, descriptionChars: Math.min(detail.descriptionChars, LESSER_CHARS) };
}

function describe(
  { tool: { toolbox, server, tool, definition }, score }: RankedTools['hits'][number],
  { descriptionChars, hasHints }: (typeof DETAILS)[number],
) {
  const text = typeof definition.description === 'string' ? definition.description : '';
  const description = descriptionChars > 0 ? oneLine(text, descriptionChars) : '';
  const stated = membersOf(definition.annotations);
  const annotations = HINTS.filter((hint) => typeof stated[hint] === 'boolean');
  return {
    toolbox,
    server,
    tool,
    ...(description === '' ? {} : { description }),
    ...(hasHints && annotations.length > 0
      ? { annotations: Object.fromEntries(annotations.map((hint) => [hint, stated[hint]])) }
      : {}),
    score: Math.round(score * 100) / 100,
  };
}

/** The largest form of the input schema that has room; nothing where none has. */
function fitSchema({ definition: { inputSchema } }: CataloguedTool, maxTokens: number, as: ShownAs) {
  if (!isJsonObject(inputSchema)) return {};
  // As served it may have references, which a type can't follow.
  const [served, ...smaller] = shrinkSchema(inputSchema);
  const schemas = as === 'types' ? smaller : [served, ...smaller];
  for (const [cuts, schema] of schemas.entries()) {
    const shown = as === 'types' ? { takes: typeText(schema) } : { inputSchema: schema };
    const form = { ...shown, ...(cuts === 0 ? {} : { isSchemaCut: true }) };
    const text = JSON.stringify(form);
    // Hardly a token has more than eight characters, so that a megabyte need not be counted.
    if (text.length <= maxTokens * 8 && estimateTokens(text) <= maxTokens) return form;
  }
  return { isSchemaCut: true };
}

/** What a tool answers, as a type: what its server says where types are asked for, else what was seen. */
function fitResult(
  { definition: { outputSchema } }: CataloguedTool,
  maxTokens: number,
  { as, shape }: { readonly as: ShownAs; readonly shape: JsonObject | undefined },
) {
  if (shape) return fitType('resultSeen', shape, maxTokens);
  return as === 'types' && isJsonObject(outputSchema) && !isOnlyText(outputSchema)
    ? fitType('result', outputSchema, maxTokens)
    : {};
}

/** `{ content: string }` is what servers declare for a text, whatever it says; parts of it are picked as of the text. */
function isOnlyText({ properties }: JsonObject): boolean {
  const [only, other] = Object.values(membersOf(properties));
  return other === undefined && membersOf(only).type === 'string';
}

/** The largest type that has room, under that name; nothing where none has that says anything. */
export function fitType(name: string, schema: JsonObject, maxTokens: number): Record<string, string> {
  // As served it may have references, which a type can't follow.
  const [, ...smaller] = shrinkSchema(schema);
  for (const each of smaller) {
    const type = typeText(each);
    const text = JSON.stringify({ [name]: type });
    if (text.length > maxTokens * 8 || estimateTokens(text) > maxTokens) continue;
    return type === 'object' || type === 'unknown' ? {} : { [name]: type };
  }
  return {};
}

function toUnreached({ toolbox, server, reason }: ToolCatalogue['unreachable'][number]) {
  return { toolbox, server, reason: oneLine(reason, MAX_REASON_CHARS) };
}

function fitList<Item>(items: readonly Item[], maxTokens: number): Item[] {
  let tokens = 0;
  const end = items.findIndex((item) => {
    tokens += tokensOf(item);
    return tokens > maxTokens;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}

function tokensOf(value: unknown): number {
  return estimateTokens(JSON.stringify(value));
}
