import { type CallContext, defineTool, type OpenedToolbox } from '@nexus/plugin-sdk';
import { cutEndCounted, OWN_SENTENCES, UNKEPT } from '@nexus/primitives';
import { z } from 'zod';
import { fitItems } from '../answers/fit-items.ts';
import { fitType } from '../answers/hit-list.ts';
import { ofTheirServers } from '../answers/of-their-servers.ts';
import { seenShapes } from '../seen-shapes.ts';

/** Names are there to be recognised in the host's list; a list too long for that helps nobody. */
const MAX_NAME_CHARS = 3_000;
/** Whole schemas: below what a result may have before it is cut. */
const MAX_TOOL_CHARS = 40_000;
/** Of what results of one tool looked like. */
const MAX_RESULT_TOKENS = 120;
const MAX_FAULT_CHARS = 4_000;
/** Of one server, and of all: some 500 and 1 000 tokens. */
const MAX_INSTRUCTION_CHARS = 2_000;
const MAX_INSTRUCTIONS_CHARS = 4_000;

export const openToolbox = defineTool({
  name: 'open_toolbox',
  title: 'Open toolbox',
  description:
    'Connect to a toolbox’s MCP servers: their tools join your list or, where your host keeps its old one, are answered with schemas for use_tool.',
  input: z.object({ toolbox: z.string().max(200).describe('Its name.') }),
  aliases: { name: 'toolbox' },
  output: z.looseObject({
    toolbox: z.string(),
    whose: z.string().optional().describe('Where a server sounds like Nexus: who speaks.'),
    instructions: z
      .array(
        z.object({
          server: z.string(),
          text: z.string(),
          whole: z.string().optional(),
          taken: z.int().optional().describe('Where the server sent more than whole has: its characters.'),
        }),
      )
      .optional(),
    faults: z
      .array(z.object({ server: z.string(), tool: z.string().optional(), reason: z.string() }))
      .optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  isConduit: true,
  // What a server says of itself and of its tools is its own words, and nothing of the user's.
  label: { trust: 'untrusted', privacy: 'public' },
  isListedWhenLean: true,
  budget: 'network',
  async call({ toolbox }, context: CallContext) {
    const opened = await context.host.toolboxes.open(toolbox, context);
    const theirs = {
      ...(opened.isListed ? registered(opened) : proxied(opened, await seenShapes(opened.tools, context))),
      ...(await instructionsOf(opened, context)),
      ...faultsOf(opened),
    };
    return {
      toolbox: opened.toolbox,
      alreadyOpen: opened.wasOpen,
      ...ofTheirServers(theirs),
      ...theirs,
    };
  },
});

/** As its servers wrote it: theirs to say, the model's to judge. What is too long is kept, as far as it was taken. */
async function instructionsOf({ toolbox, instructions }: OpenedToolbox, context: CallContext) {
  if (instructions.length === 0) return {};
  const begun = instructions.map(({ server, text, chars }) => ({
    server,
    text: cutEndCounted(text, MAX_INSTRUCTION_CHARS, chars),
    ...(text.length > MAX_INSTRUCTION_CHARS ? { whole: UNKEPT } : {}),
    ...(chars > text.length ? { taken: text.length } : {}),
  }));
  const first = fitItems(begun, MAX_INSTRUCTIONS_CHARS);
  const shown = first.map(async (each, at) => {
    const { server, text = '', chars } = instructions[at] ?? {};
    if (!('whole' in each)) return each;
    const words = {
      text: cutEndCounted(text, text.length, chars),
      mimeType: 'text/plain',
      whose: `${toolbox}/${server}`,
    };
    return { ...each, whole: (await context.host.results.keep(words, context)).uri };
  });
  return {
    instructions: await Promise.all(shown),
    ...(first.length < begun.length ? { instructions_total: begun.length } : {}),
  };
}

function faultsOf({ faults }: OpenedToolbox) {
  if (faults.length === 0) return {};
  const shown = fitItems(faults, MAX_FAULT_CHARS);
  return { faults: shown, ...(shown.length < faults.length ? { faults_total: faults.length } : {}) };
}

function registered({ tools }: OpenedToolbox) {
  const names = tools.map(({ registeredName }) => registeredName);
  const shown = fitItems(names, MAX_NAME_CHARS);
  return { tools_registered: names.length, ...(shown.length === names.length ? { tools: names } : {}) };
}

function proxied({ tools }: OpenedToolbox, shapes: Awaited<ReturnType<typeof seenShapes>>) {
  const whole = tools.map((each) => {
    const { server, tool, definition } = each;
    const { name: _own, ...described } = definition;
    const shape = shapes.get(each);
    return {
      ...{ server, tool, ...described },
      ...(shape ? fitType('resultSeen', shape, MAX_RESULT_TOKENS) : {}),
    };
  });
  const shown = fitItems(whole, MAX_TOOL_CHARS);
  if (shown.length === whole.length) return { total: whole.length, tools: whole };
  const left = whole.length - shown.length;
  const more = OWN_SENTENCES.toolsNotShown(
    left === 1 ? '1 tool is' : `${left} tools are`,
    left === 1 ? 'it' : 'them',
  );
  return { total: whole.length, tools: shown, more };
}
