import { type CallContext, defineTool, readRelayedCall } from '@nexus/plugin-sdk';
import { pathFault } from '@nexus/primitives';
import { z } from 'zod';
import { resultPart } from '../answers/result-part.ts';
import { addressOf } from '../tool-address.ts';

const name = z.string().max(300);

export const useTool = defineTool({
  name: 'use_tool',
  title: 'Use tool',
  description:
    'Call a tool of any toolbox, open or not, as find_tools or open_toolbox named it. Answers its result; its own annotations say what it may change.',
  input: z.looseObject({
    toolbox: name.optional().describe('Toolbox.'),
    server: name.optional().describe('Where several have the tool.'),
    tool: name.describe('Its name, or toolbox__server__tool whole.'),
    // Any value passes here, so that what is no object is refused as in a direct call.
    arguments: z.unknown().optional().meta({ type: 'object', description: 'As its input schema says.' }),
    // Any value passes here, too: a tool may have an argument of that name, and then it is the tool's.
    pick: z
      .unknown()
      .optional()
      .meta({
        type: 'array',
        items: { type: 'string', maxLength: 500 },
        maxItems: 20,
        description: 'Only these parts of a JSON result: "items[].id", "total".',
      }),
    offset: z.unknown().optional().meta({
      type: 'integer',
      minimum: 0,
      maximum: 1e9,
      description: 'Items or lines to skip.',
    }),
    limit: z
      .unknown()
      .optional()
      .meta({ type: 'integer', minimum: 1, maximum: 1e6, description: 'Most items, or lines.' }),
  }),
  output: z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  isConduit: true,
  // The called tool has a budget of its own, which this one must not cut short.
  isListedWhenLean: true,
  budget: 'pipeline',
  answersWholeResult: true,
  async call({ toolbox, server, tool, ...params }, context: CallContext) {
    const address = await addressOf({ toolbox, server, tool }, context);
    const registeredName = await context.host.toolboxes.reach(address, context);
    const { tools } = context;
    const relay = { by: 'use_tool', takes: 'toolbox, server, tool and arguments', pathFault, tools };
    const { part, params: given } = await readRelayedCall(registeredName, params, relay);
    const result = await tools.call(registeredName, given);
    const shown = part ? await resultPart(result, part, context) : result;
    return { ...shown, content: [...shown.content] };
  },
});
