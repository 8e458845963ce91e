import { isRecord } from '@nexus/core';
import {
  LABEL_META_KEY,
  type Label,
  type ModelTool,
  nearestNames,
  type ToolCallResult,
  ToolError,
  type ToolUse,
} from '@nexus/plugin-sdk';
import type { ServerTool } from '../servers/chat-server.ts';
import { findingTools } from './finding-tools.ts';

/** What tools may take of every request, as JSON: about 3 000 tokens. */
const MAX_TOLD_CHARS = 12_000;

/** As the names of tools of toolboxes are joined. */
const JOINED = '__';

/** So many places of one name are told. */
const PLACES_SHOWN = 10;

const OF_REQUESTS: Label = { trust: 'trusted', privacy: 'public' };

/**
 * Makes tools ready to be searched. What it answers of a search is for the model: the best first, each with its name
 * as `tool` and as much of its input schema as has room; none where nothing has the words.
 */
export type SearchTools = (
  tools: readonly ServerTool[],
) => Promise<(queries: readonly string[], limit: number) => readonly object[]>;

/** The tools of a chat: all can be called, and few are told of with every request. */
export interface FittedTools {
  readonly all: readonly ServerTool[];
  /** Of those that every request tells of, as JSON. */
  readonly toldChars: number;
  /** The use that a use of `use_tool` stands for. */
  resolve(use: ToolUse): ToolUse;
}

/**
 * All of them where they are few. Else those that come first, as many as have room, and two by which the model finds
 * and uses the others; the same for the same tools, so that requests begin alike and providers keep that beginning.
 */
export function fitTools(tools: readonly ServerTool[], searchTools: SearchTools): FittedTools {
  const fits = withinChars(MAX_TOLD_CHARS);
  if (charsOf(tools) <= MAX_TOLD_CHARS)
    return { all: tools, toldChars: charsOf(tools), resolve: (use) => use };
  const told = tools.filter((tool) => tool.isFirst && fits(tool));
  const hidden = tools.filter((tool) => !told.includes(tool));
  const names = hidden.map(({ name }) => name);
  const { find, use } = findingTools(names);
  let search: ReturnType<SearchTools> | undefined;
  const own = [
    ownTool(find, async (input) => {
      search ??= searchTools(hidden);
      return found(await search, input, names);
    }),
    // Only what names no tool, or several, comes here: any other use is resolved.
    ownTool(use, async (input) => {
      const several = toolsMeant(input, tools).map(({ name }) => name);
      if (several.length === 0) throw new ToolError('NEXUS_NOT_FOUND', unknown(input.tool, names));
      throw new ToolError('NEXUS_INVALID_ARGUMENTS', whichOne(input.tool, several));
    }),
  ];
  return {
    all: [...told, ...own, ...hidden.map((tool) => ({ ...tool, isTold: false }))],
    toldChars: charsOf([...told, ...own]),
    resolve: (asked) => resolveUse(asked, tools),
  };
}

/** Arguments are taken from where a model puts them: in `arguments`, as JSON in a string, or beside `tool`. */
function resolveUse(use: ToolUse, tools: readonly ServerTool[]): ToolUse {
  if (use.name !== 'use_tool' || use.fault !== undefined) return use;
  const [tool, other] = toolsMeant(use.input, tools);
  if (!tool || other) return use;
  const { tool: _, arguments: given, ...beside } = use.input;
  const input = typeof given === 'string' ? parsed(given) : (given ?? beside);
  if (!isRecord(input))
    return { ...use, name: tool.name, input: {}, fault: '`arguments` must be an object.' };
  return { ...use, name: tool.name, input };
}

/**
 * Those that a use of `use_tool` may mean: the one that is called so, or else all whose name ends so, as that of a
 * tool of a toolbox does. A toolbox or a server may be named beside `arguments`, as Nexus's own `use_tool` takes them:
 * a tool that is there goes before another of its name.
 */
function toolsMeant(
  { tool: wanted, toolbox, server, arguments: given }: ToolUse['input'],
  tools: readonly ServerTool[],
): readonly ServerTool[] {
  if (typeof wanted !== 'string' || wanted === '') return [];
  const exact = tools.find(({ name }) => name === wanted);
  const places = [toolbox, server].filter((place) => given !== undefined && typeof place === 'string');
  if (exact && places.length === 0) return [exact];
  const there = tools.filter(
    ({ name }) =>
      name.endsWith(`${JOINED}${wanted}`) &&
      places.every((place) => `${JOINED}${name}`.includes(`${JOINED}${place}${JOINED}`)),
  );
  return there.length > 0 || !exact ? there : [exact];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function found(
  search: Awaited<ReturnType<SearchTools>>,
  { queries, limit }: Readonly<Record<string, unknown>>,
  names: readonly string[],
): ToolCallResult {
  const given = (Array.isArray(queries) ? queries : [queries]).filter((query) => typeof query === 'string');
  if (given.length === 0)
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', '`queries` must be a list of keyword phrases.');
  const wanted = typeof limit === 'number' ? Math.min(20, Math.max(1, Math.round(limit))) : 3;
  const hits = search(given.slice(0, 4), wanted);
  return said(
    hits.length > 0 ? JSON.stringify(hits) : `Nothing has these words. ${unknown(given[0], names)}`,
  );
}

function ownTool(
  tool: ModelTool,
  answer: (input: Readonly<Record<string, unknown>>) => Promise<ToolCallResult>,
): ServerTool {
  return {
    ...tool,
    server: 'chat',
    origin: JSON.stringify(['chat', tool.name]),
    isReadOnly: true,
    isFirst: true,
    isOwn: true,
    reachesOut: false,
    call: (input) => answer(input),
  };
}

function whichOne(wanted: unknown, names: readonly string[]): string {
  const more = names.length > PLACES_SHOWN ? `, and ${names.length - PLACES_SHOWN} more` : '';
  return `Several tools are called ${JSON.stringify(wanted)}. Give one of these as \`tool\`: ${names.slice(0, PLACES_SHOWN).join(', ')}${more}.`;
}

function unknown(wanted: unknown, names: readonly string[]): string {
  const near = nearestNames(String(wanted), names);
  const hint = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : '';
  return `There is no tool ${JSON.stringify(wanted)}.${hint} find_tools searches them by keywords.`;
}

/** Labelled as what requests tell of tools anyway: it brings nothing that the conversation did not have. */
function said(text: string): ToolCallResult {
  return { content: [{ type: 'text', text }], _meta: { [LABEL_META_KEY]: OF_REQUESTS } };
}

function withinChars(max: number): (tool: ServerTool) => boolean {
  let left = max;
  return (tool) => {
    const chars = charsOf([tool]);
    if (chars > left) return false;
    left -= chars;
    return true;
  };
}

function charsOf(tools: readonly ModelTool[]): number {
  return tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + JSON.stringify({ name, description, inputSchema }).length,
    0,
  );
}
