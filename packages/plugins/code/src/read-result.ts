import { type CallContext, defineTool, ToolError, textRoom } from '@nexus/plugin-sdk';
import {
  cutEnd,
  focusOf,
  isExact,
  type PartWanted,
  partOf,
  pathTo,
  writtenText,
  writtenWholeOf,
} from '@nexus/primitives';
import { z } from 'zod';

/** What the bare id of a kept result stands behind. */
const RESULTS = 'nexus://results/';

export const readResult = defineTool({
  name: 'read_result',
  title: 'Read a kept result',
  description:
    'Read what a cut answer names by a nexus:// URI, or any nexus:// resource, in parts. Cut results are kept for a day.',
  input: z.object({
    uri: z
      .string()
      .min(1)
      .max(500)
      .describe('nexus://results/<id> and such.')
      .meta({ examples: ['nexus://results/00000000-0000-4000-8000-000000000000'] }),
    pick: z.array(z.string().max(500)).max(20).default([]).describe('As use_tool’s.'),
    offset: z.int().min(0).max(1e9).optional().describe('Items or lines to skip.'),
    limit: z.int().min(1).max(1e6).optional().describe('Most items, or lines.'),
  }),
  output: z.object({ content: z.array(z.object({ type: z.literal('text'), text: z.string() })) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  // Of any tool, and of other servers; what is kept says nothing of that.
  label: { trust: 'untrusted' },
  budget: 'interactive',
  answersWholeResult: true,
  async call({ uri, pick: paths, offset, limit }, context: CallContext) {
    const found =
      (await context.host.results.read(uri, context)) ??
      (uri.includes(':') ? undefined : await context.host.results.read(RESULTS + uri, context));
    if (!found) {
      const text = `There is no ${uri.includes(':') ? uri : RESULTS + uri}, or no more: cut results are kept for a day, for whoever called. Make the call again.`;
      throw new ToolError('NEXUS_NOT_FOUND', text);
    }
    const whole = writtenWholeOf({ content: [{ type: 'text', text: found.text }] });
    const room = textRoom(context.host.results);
    // Two pieces of a line have room at least.
    const wanted = { paths, offset, limit, maxLineChars: Math.floor(room / 2) };
    const { text, notes } = fitted(whole, wanted, room);
    return { content: [...notes, text].map((said) => ({ type: 'text' as const, text: said })) };
  },
});

/**
 * The part, with as many items or lines of it as fit, each whole.
 * @throws {ToolError} NEXUS_INVALID_ARGUMENTS where there is no such part, or none of it fits
 */
function fitted(whole: unknown, wanted: PartWanted, room: number): Said {
  const first = sayPart(whole, wanted);
  if (first.text.length <= room) return first;
  let least = first;
  // Halved until it fits: the limit counts what the part itself counts.
  let limit = Math.min(wanted.limit ?? Number.POSITIVE_INFINITY, first.text.length);
  for (; limit >= 1; limit = Math.floor(limit / 2)) {
    const part = partOf(whole, { ...wanted, limit });
    if ('fault' in part) break;
    least = saying(part);
    if (least.text.length <= room) return least;
  }
  throw invalid(`${least.text.length} characters do not fit. ${shapeOf(least.value, wanted)}`);
}

interface Said {
  readonly value: unknown;
  readonly text: string;
  readonly notes: readonly string[];
}

function sayPart(whole: unknown, wanted: PartWanted): Said {
  const part = partOf(whole, wanted);
  if (!('fault' in part)) return saying(part);
  const all = partOf(whole, { paths: wanted.paths });
  throw invalid('fault' in all ? part.fault : `${part.fault} ${shapeOf(all.value, wanted)}`);
}

function saying({ value, notes }: { value: unknown; notes: readonly string[] }): Said {
  return { value, notes, text: writtenText(value) };
}

const MAX_MEMBERS = 30;

/** What there is to pick from, each by its whole path, with its size. */
function shapeOf(part: unknown, { paths, offset = 0 }: PartWanted): string {
  const { path, value } = focusOf(part, paths);
  const isOne = isExact(paths);
  const isList = Array.isArray(value);
  const at = isList ? (isOne ? pathTo(path, offset) : `${path}[]`) : path;
  const found = isList ? value[0] : value;
  const isPlain = typeof found !== 'object' || found === null || Array.isArray(found);
  const entries = isPlain
    ? [[at, found] as const]
    : Object.entries(found).map(([name, each]) => [pathTo(at, name), each] as const);
  const shown = entries.slice(0, MAX_MEMBERS).map(([name, each]) => {
    const items = Array.isArray(each) ? `${each.length} items, ` : '';
    return `${JSON.stringify(cutEnd(name, MAX_PATH_CHARS))} (${items}${JSON.stringify(each)?.length ?? 0} characters)`;
  });
  const rest = entries.length > shown.length ? ` and ${entries.length - shown.length} more` : '';
  const how = isOne || !isList ? '' : ', an item by its number in the place of []';
  return `It has ${shown.join(', ')}${rest}: pick one of these${how}. A list or a text is then read on by offset and limit.`;
}

/** As `pick` takes one. */
const MAX_PATH_CHARS = 500;

function invalid(message: string): ToolError {
  return new ToolError('NEXUS_INVALID_ARGUMENTS', message);
}
