import { type CallContext, defineTool, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { isJsonObject } from '../json-object.ts';

const name = z.string().max(300);

export const useTool = defineTool({
  name: 'use_tool',
  title: 'Use tool',
  description:
    'Call a tool of any toolbox, open or not, as find_tools or open_toolbox named it. Answers its result, unchanged; its own annotations say what it may change.',
  input: z.looseObject({
    toolbox: name.describe('Toolbox.'),
    server: name.optional().describe('May be left out where the toolbox has one.'),
    tool: name.describe('Its own name.'),
    // Any value passes here, so that what is no object is refused as in a direct call.
    arguments: z.unknown().optional().meta({ type: 'object', description: 'As its input schema says.' }),
  }),
  output: z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  isConduit: true,
  // The called tool has a budget of its own, which this one must not cut short.
  isListedWhenLean: true,
  budget: 'pipeline',
  answersWholeResult: true,
  async call({ toolbox, server, tool, ...params }, context: CallContext) {
    const address = { toolbox, server: server ?? (await onlyServer(toolbox, context)), tool };
    const registeredName = await context.host.toolboxes.reach(address, context);
    const result = await context.tools.call(registeredName, argumentsOf(registeredName, params, context));
    return { ...result, content: [...result.content] };
  },
});

/**
 * What stands beside `toolbox`, `server`, `tool` and `arguments` is the tool's, too: `dispatch`, say. What the
 * tool does not declare is refused, whatever its schema lets through: nobody meant it.
 */
function argumentsOf(
  tool: string,
  { arguments: given, args, ...beside }: Readonly<Record<string, unknown>>,
  { tools }: CallContext,
): Readonly<Record<string, unknown>> {
  const { properties, additionalProperties } = tools.find(tool)?.inputSchema ?? {};
  const declared = isJsonObject(properties) ? Object.keys(properties) : [];
  const takesAny = declared.length === 0 && additionalProperties !== false;
  const foreign = Object.keys(beside).filter((key) => !takesAny && !declared.includes(key));
  if (foreign.length > 0) {
    const message = `use_tool takes toolbox, server, tool and arguments; ${foreign.join(', ')} is none of these, and no argument of ${tool}, which takes ${declared.join(', ') || 'none'}.`;
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', message);
  }
  const rest = {
    ...(given === undefined ? {} : { arguments: given }),
    ...(args === undefined ? {} : { args }),
  };
  const isBesideOthers = isJsonObject(given) && Object.keys(given).length > 0;
  return isBesideOthers ? { ...rest, arguments: { ...beside, ...given } } : { ...rest, ...beside };
}

/** For a toolbox that does not exist any name will do: what is answered then names the nearest. */
async function onlyServer(toolbox: string, { host, session }: CallContext): Promise<string> {
  const toolboxes = await host.toolboxes.list(session);
  const servers = toolboxes.find(({ name }) => name === toolbox)?.servers ?? [];
  const names = servers.map(({ name }) => name);
  if (names.length < 2) return names[0] ?? toolbox;
  const message = `Toolbox ${toolbox} has several servers; name the tool’s in \`server\`: ${names.join(', ')}.`;
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', message);
}
