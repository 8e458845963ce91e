import { type CallContext, defineTool, ToolError } from '@nexus/plugin-sdk';
import { z } from 'zod';
import { type Declared, readPart } from '../answers/read-part.ts';
import { resultPart } from '../answers/result-part.ts';
import { rightForm } from '../answers/right-form.ts';
import { isJsonObject } from '../json-object.ts';
import { addressOf } from '../tool-address.ts';

const name = z.string().max(300);

/** Each is looked for among the tool’s own arguments. */
const MAX_BESIDE = 1_000;

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
    const { part, rest } = readPart(params, declaredOf(registeredName, context));
    const result = await context.tools.call(registeredName, await argumentsOf(registeredName, rest, context));
    const shown = part ? resultPart(result, part) : result;
    return { ...shown, content: [...shown.content] };
  },
});

/**
 * What stands beside `toolbox`, `server`, `tool` and `arguments` is the tool's, too: `dispatch`, say. What the
 * tool does not declare is refused, whatever its schema lets through: nobody meant it.
 */
async function argumentsOf(
  tool: string,
  { arguments: sentAs, args, ...beside }: Readonly<Record<string, unknown>>,
  context: CallContext,
): Promise<Readonly<Record<string, unknown>>> {
  const given = sentAs ?? undefined;
  assertFew(beside);
  const { names: declared, takesAny } = declaredOf(tool, context);
  const foreign = Object.keys(beside).filter((key) => !takesAny && !declared.includes(key));
  if (foreign.length > 0) {
    const message = `use_tool takes toolbox, server, tool and arguments; ${foreign.join(', ')} is none of these, and no argument of ${tool}, which takes ${declared.join(', ') || 'none'}.`;
    const form = await rightForm(tool, { declared, given: given ?? args, beside }, context);
    throw new ToolError('NEXUS_INVALID_ARGUMENTS', form === undefined ? message : `${message} ${form}`);
  }
  const rest = {
    ...(sentAs === undefined ? {} : { arguments: sentAs }),
    ...(args === undefined ? {} : { args }),
  };
  const sent = given ?? {};
  if (!isJsonObject(sent)) return { ...rest, ...beside };
  // Of a schema that names nothing, beside its arguments would not be told from a wrapper's own fields.
  const isOpen = takesAny && args === undefined && Object.keys(beside).length > 0;
  const isBesideOthers = isOpen || Object.keys(sent).length > 0;
  if (!isBesideOthers) return { ...rest, ...beside };
  // Of two values for one argument the one beside stays there, where the call says so or is refused for it.
  const isSecond = (key: string) => Object.hasOwn(sent, key) && sent[key] !== beside[key];
  const second = Object.fromEntries(Object.entries(beside).filter(([key]) => isSecond(key)));
  return { ...second, ...rest, arguments: { ...beside, ...sent } };
}

function assertFew(beside: Readonly<Record<string, unknown>>): void {
  const count = Object.keys(beside).length;
  if (count <= MAX_BESIDE) return;
  const text = `${count} fields stand beside arguments, and at most ${MAX_BESIDE} are looked at. Put what is for the tool into arguments.`;
  throw new ToolError('NEXUS_INVALID_ARGUMENTS', text);
}

/** The arguments that a tool names, whether it takes whatever comes, and whether it may take away what is there. */
function declaredOf(tool: string, { tools }: CallContext): Declared {
  const found = tools.find(tool);
  const { properties, additionalProperties } = found?.inputSchema ?? {};
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  return {
    names,
    takesAny: names.length === 0 && additionalProperties !== false,
    mayDestroy: found?.annotations.destructiveHint !== false,
  };
}
