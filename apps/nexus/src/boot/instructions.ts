import { isPermitted } from '@nexus/core';
import { counted } from '@nexus/primitives';
import { visibleStart } from '@nexus/untrusted/shown';
import type { Config } from '../config/schema.ts';
import type { LoadedConfig } from '../loaded-config/load-config.ts';
import { listToolboxes } from './list-toolboxes.ts';
import type { Profile } from './profiles.ts';

const MAX_WARNING_CHARS = 1_500;

/** A tool, as far as it is told of in front of the list. */
interface ToldTool {
  readonly name: string;
  readonly needsModel?: boolean;
}

/** What the host's model is told at initialize: the config's own words, then what is here and how to use it. */
export function describeServer(
  { config, warnings }: Pick<LoadedConfig, 'config' | 'warnings'>,
  plugins: readonly { readonly tools: readonly ToldTool[] }[],
  profile: Profile,
): string {
  const tools = plugins
    .flatMap((plugin) => plugin.tools)
    .filter((tool) => config.tools[tool.name]?.enabled !== false && isPermitted(tool, config.permissions));
  const names = tools.map(({ name }) => name);
  const sections = [
    config.server.instructions,
    aboutTools(profile, names, tools.filter(({ needsModel }) => needsModel).length),
    aboutToolboxes(config, profile, names),
    ...notesOf(warnings, profile),
  ];
  return sections.filter(Boolean).join('\n\n');
}

/** What all notes but the first may cost each session; a config can have a server that lacks something in each toolbox. */
const MAX_NOTES_CHARS = { lean: 400, full: 3_000 } as const;

/** As many as there is room for, the first in any case, and how many more there are. */
function notesOf(warnings: readonly string[], profile: Profile): string[] {
  const notes = warnings.map(forReader);
  let left = MAX_NOTES_CHARS[profile] + (notes[0]?.length ?? 0);
  const cutAt = notes.findIndex((note) => {
    left -= note.length;
    return left < 0;
  });
  if (cutAt < 0) return notes;
  const more = notes.length - cutAt;
  return [
    ...notes.slice(0, cutAt),
    `${counted(more, 'more note')} like these: \`nexus doctor\` has them all.`,
  ];
}

/** Bounded, since names in it may be a stranger's words. */
function forReader(warning: string): string {
  return visibleStart(warning.replace(/\s+/g, ' '), MAX_WARNING_CHARS);
}

/** @param needModel how many of the tools are listed only where there is a model */
function aboutTools(profile: Profile, tools: readonly string[], needModel: number): string {
  const isLean = profile === 'lean' && tools.includes('use_tool');
  return [
    `Nexus serves ${counted(tools.length, 'tool')} to every agent of this project${needModel === 0 ? '' : `, ${needModel} of them where there is a model`}.`,
    ...(isLean
      ? ['Most are not listed: find_tools finds them, use_tool calls them with toolbox and server `nexus`.']
      : []),
    ...(tools.includes('bundle')
      ? ['Send several read-only calls as one by bundle: in parallel, for one turn.']
      : []),
    ...(ON_THE_BUS.every((name) => tools.includes(name))
      ? [
          'Its agents share a bus: poll_task waits for tasks and messages (nexus://inbox/{worker}), submit_task hands out work; reserve_files before you change files.',
        ]
      : []),
  ].join(' ');
}

/** What the words about the bus name. */
const ON_THE_BUS = ['poll_task', 'fetch_inbox', 'submit_task', 'reserve_files'];

/** What the list of toolboxes may cost each session at its start: some 400 tokens where every one counts. */
const MAX_LIST_CHARS = { lean: 1_500, full: 6_000 } as const;

const USES = {
  dynamic:
    'open_toolbox adds a toolbox’s tools to your list, as {toolbox}__{server}__{tool}, and may be repeated. Where your list does not change, call them by use_tool.',
  proxy:
    'open_toolbox answers a toolbox’s tools with their schemas and may be repeated; call them by use_tool.',
} as const;

function aboutToolboxes({ toolboxes, toolMode }: Config, profile: Profile, tools: readonly string[]): string {
  if (!tools.includes('open_toolbox')) return '';
  const count = Object.keys(toolboxes).length;
  if (count === 0)
    return 'No toolboxes of other MCP servers yet: `toolboxes` in the config, or `nexus import`.';
  return [
    `Toolboxes: ${count}, each the tools of one other MCP server, or of as many as it says, opened on demand:`,
    listToolboxes(toolboxes, MAX_LIST_CHARS[profile]),
    [
      ...(tools.includes('find_tools') && tools.includes('use_tool')
        ? ['find_tools searches all of them by keywords; use_tool calls what it found, open or not.']
        : []),
      USES[toolMode],
    ].join(' '),
  ].join('\n');
}

/** For whoever asked for a tool that there is not: lists show neither all of a lean profile's nor those of toolboxes. */
export function whereToolsAre(isThere: (name: string) => boolean): string {
  return isThere('find_tools') && isThere('use_tool')
    ? 'find_tools finds every tool by words, of toolboxes too and those that tools/list leaves out; use_tool calls what it found'
    : 'tools/list names those that may be called';
}
