import { invalidParams, type PluginRuntime, type ProtocolError } from '@nexus/core';
import { nearestNames, type PromptContext, type PromptDefinition, type ToolSummary } from '@nexus/plugin-sdk';
import { type Completion, toCompletion } from './completion.ts';
import { addOwned, type Owned, sortedDefinitions } from './owned.ts';

export interface Prompts {
  /** @throws {RegistrationError} */
  add(prompt: PromptDefinition, runtime: PluginRuntime): void;
  list(): readonly Record<string, unknown>[];
  has(name: string): boolean;
  /** What a prompt that nothing serves leaves with: -32602 naming the nearest, these others too. */
  notFound(name: string, others?: readonly string[]): ProtocolError;
  /** @throws {ProtocolError} -32602 for an unknown prompt or a missing argument */
  get(
    name: string,
    values: Readonly<Record<string, string>>,
    tools: readonly ToolSummary[],
  ): Promise<Record<string, unknown>>;
  complete(
    name: string,
    argument: { readonly name: string; readonly value: string },
    tools: readonly ToolSummary[],
  ): Promise<Completion>;
}

export function createPrompts(): Prompts {
  const prompts = new Map<string, Owned<PromptDefinition>>();

  function find(name: string): Owned<PromptDefinition> {
    const found = prompts.get(name);
    if (found) return found;
    throw notFound(name);
  }

  function notFound(name: string, others: readonly string[] = []): ProtocolError {
    const nearest = nearestNames(name, [...prompts.keys(), ...others]);
    const hint = nearest.length > 0 ? `did you mean ${nearest.join(' or ')}?` : 'prompts/list names them all';
    return invalidParams(`Unknown prompt: ${name}; ${hint}`, { nearest });
  }

  return {
    add: (definition, runtime) => addOwned(prompts, definition.name, { definition, runtime }),
    has: (name) => prompts.has(name),
    notFound,
    list: () =>
      sortedDefinitions(prompts).map(({ name, title, description, icons, arguments: declared }) => ({
        name,
        title,
        description,
        ...(icons ? { icons } : {}),
        arguments: declared.map((argument) => ({
          name: argument.name,
          description: argument.description,
          required: argument.required,
        })),
      })),
    async get(name, values, tools) {
      const { definition, runtime } = find(name);
      const missing = definition.arguments.filter((each) => each.required && !values[each.name]);
      if (missing.length > 0) {
        const wanted = missing.map((argument) => `${argument.name} (${argument.description})`);
        throw invalidParams(`Prompt ${name} needs ${wanted.join(', ')}`);
      }
      const rendered = await definition.render(values, await contextOf(runtime, tools));
      const messages =
        typeof rendered === 'string'
          ? [{ role: 'user', content: { type: 'text', text: rendered } }]
          : rendered;
      return { description: definition.description, messages };
    },
    async complete(name, { name: argumentName, value }, tools) {
      const { definition, runtime } = find(name);
      const argument = definition.arguments.find((each) => each.name === argumentName);
      if (!argument) throw invalidParams(`Prompt ${name} has no argument ${argumentName}`);
      return toCompletion(await argument.complete?.(value, await contextOf(runtime, tools)));
    },
  };
}

async function contextOf(runtime: PluginRuntime, tools: readonly ToolSummary[]): Promise<PromptContext> {
  return { state: await runtime.state(), host: runtime.host, tools };
}
