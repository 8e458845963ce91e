import { invalidParams, type PluginRuntime, type ProtocolError } from '@nexus/core';
import { nearestNames, type PromptContext, type PromptDefinition } from '@nexus/plugin-sdk';
import { type Completion, toCompletion } from './completion.ts';
import { addOwned, type Owned, sortedDefinitions } from './owned.ts';

/** For whom a prompt is written. */
export type PromptReader = Pick<PromptContext, 'tools' | 'roots'>;

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
    reader: PromptReader,
  ): Promise<Record<string, unknown>>;
  complete(
    name: string,
    argument: { readonly name: string; readonly value: string },
    reader: PromptReader,
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
    async get(name, values, reader) {
      const { definition, runtime } = find(name);
      const missing = definition.arguments.filter((each) => each.required && !values[each.name]);
      if (missing.length > 0) {
        const wanted = missing.map((argument) => `${argument.name} (${argument.description})`);
        throw invalidParams(`Prompt ${name} needs ${wanted.join(', ')}`);
      }
      const rendered = await definition.render(values, await contextOf(runtime, reader));
      const messages =
        typeof rendered === 'string'
          ? [{ role: 'user', content: { type: 'text', text: rendered } }]
          : rendered;
      return { description: definition.description, messages };
    },
    async complete(name, { name: argumentName, value }, reader) {
      const { definition, runtime } = find(name);
      const argument = definition.arguments.find((each) => each.name === argumentName);
      if (!argument) throw invalidParams(`Prompt ${name} has no argument ${argumentName}`);
      return toCompletion(await argument.complete?.(value, await contextOf(runtime, reader)));
    },
  };
}

async function contextOf(runtime: PluginRuntime, { tools, roots }: PromptReader): Promise<PromptContext> {
  return { state: await runtime.state(), host: runtime.host, tools, roots };
}
