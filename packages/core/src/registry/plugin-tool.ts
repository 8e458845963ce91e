import {
  type AnyTool,
  type ContentBlock,
  type Host,
  TEXT_META_KEY,
  type ToolCallResult,
} from '@nexus/plugin-sdk';
import type { z } from 'zod';
import { UNKNOWN_ARGUMENT } from './invalid-arguments.ts';
import { toInputSchema, toOutputSchema, toWholeInputSchema } from './json-schema.ts';
import { assertNamesFree, withAddedInput, withJobOutput, withRunId, withRunOutput } from './long-tool.ts';
import type { Issue, RegisteredTool, ToolListing, Validation } from './registered-tool.ts';
import { textFaults } from './text-faults.ts';
import { ToolContext } from './tool-context.ts';

/** What a running plugin lends to its tools. `state` is read at each call, since start may be running. */
export interface PluginRuntime {
  readonly name: string;
  readonly host: Host;
  state(): Promise<unknown>;
}

/** Of the tool and not of who runs it: a plugin that is started again, as by each of its tests, has the same. */
const listings = new WeakMap<AnyTool, ToolListing>();

/**
 * A plugin's tool, made ready for the registry: strict input, JSON Schemas, checked output.
 * @throws {RegistrationError} when a long tool has a name of its own for what is added to it
 */
export function pluginTool(tool: AnyTool, runtime: PluginRuntime): RegisteredTool {
  assertNamesFree(tool, runtime.name);
  const input = inputOf(tool);
  const output = withRunOutput(tool);
  const shape: Readonly<Record<string, z.ZodType>> = input.shape;
  return {
    name: tool.name,
    plugin: runtime.name,
    hints: tool.annotations,
    label: tool.label,
    isConduit: tool.isConduit,
    passesResultsOn: passesResultsOn(tool),
    budget: tool.budget,
    isLong: tool.isLong === true,
    isResumable: tool.isResumable === true,
    runKind: tool.run?.name,
    aliases: tool.aliases,
    requires: tool.requires ?? [],
    isListedWhenLean: tool.isListedWhenLean === true,
    needsModel: tool.needsModel === true,
    get listing() {
      const listing = listings.get(tool) ?? toListing(tool);
      listings.set(tool, listing);
      return listing;
    },
    validate: (args) => withPlainText(toValidation(input.safeParse(args))),
    fits: (key, value) => Object.hasOwn(shape, key) && shape[key]?.safeParse(value).success === true,
    fitsOutput: (structure) => output.safeParse(structure).success,
    async run(value, context) {
      const attached: ContentBlock[] = [];
      const state = await runtime.state();
      const full = new ToolContext(context, { state, host: runtime.host, attached });
      const answered = await tool.call(value, full);
      return toResult(tool, answered, { parsed: output.safeParse(answered), attached });
    },
  };
}

/** A tool as `tools/list` serves it, without a running plugin: what docs and governance read. */
export function toListing(tool: AnyTool): ToolListing {
  const outputSchema = toOutputSchema(withRunId(tool));
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: toInputSchema(inputOf(tool)),
    ...(tool.answersWholeResult
      ? {}
      : { outputSchema: tool.isLong ? withJobOutput(outputSchema) : outputSchema }),
    annotations: { ...tool.annotations },
    ...(tool.icons ? { icons: tool.icons } : {}),
    ...(tool.isLong ? { execution: { taskSupport: 'optional' } } : {}),
  };
}

/** The schema of what a tool takes with each limit, of which the list leaves out those that go without saying. */
export function wholeInputOf(tool: AnyTool): Readonly<Record<string, unknown>> {
  return toWholeInputSchema(inputOf(tool));
}

/** A conduit that answers whole results answers those of the tools that it calls, where it says nothing of its own. */
export function passesResultsOn({ isConduit, answersWholeResult, label }: AnyTool): boolean {
  return isConduit === true && answersWholeResult === true && label === undefined;
}

/** A misspelt optional argument would otherwise vanish without a word. Loose objects stay loose. */
function inputOf(tool: AnyTool): z.ZodObject {
  const input = withAddedInput(tool);
  const strict = input.def.catchall === undefined ? input.strict() : input;
  // What zod knows of a schema is of the one object: a changed one has none of it.
  const examples = tool.input.meta()?.examples;
  return examples === undefined ? strict : strict.meta({ examples });
}

function toValidation(parsed: z.ZodSafeParseResult<unknown>): Validation {
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, issues: parsed.error.issues.flatMap(toIssues) };
}

/** Here for every tool, since what a program or a database makes of such text is an error of theirs. */
function withPlainText(validation: Validation): Validation {
  const issues = validation.ok ? textFaults(validation.value) : [];
  return issues.length === 0 ? validation : { ok: false, issues };
}

function toIssues(issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.map(String).join('.');
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
  return issue.keys.map((key) => ({
    path: path === '' ? key : `${path}.${key}`,
    message: UNKNOWN_ARGUMENT,
  }));
}

/** The answer as structured content and as text, then what was attached to it. */
function toResult(
  tool: AnyTool,
  output: unknown,
  { parsed, attached }: { parsed: z.ZodSafeParseResult<unknown>; attached: readonly ContentBlock[] },
): ToolCallResult {
  if (!parsed.success) {
    throw new Error(`${tool.name} answered against its output schema: ${parsed.error.message}`);
  }
  // Checked to be a result.
  if (tool.answersWholeResult) return output as ToolCallResult;
  const structuredContent = parsed.data as Record<string, unknown>; // the output schema is an object
  const isSaidByAttachments = attached.length > 0 && Object.keys(structuredContent).length === 0;
  const text = { type: 'text', text: tool.text?.(structuredContent) ?? JSON.stringify(structuredContent) };
  return {
    content: isSaidByAttachments ? attached : [text, ...attached],
    structuredContent,
    ...(tool.text ? { _meta: { [TEXT_META_KEY]: true } } : {}),
  };
}
