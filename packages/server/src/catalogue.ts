import {
  invalidParams,
  JSON_RPC,
  nearestNames,
  type PluginRuntime,
  ProtocolError,
  RegistrationError,
} from '@nexus/core';
import {
  isToolError,
  type PromptContext,
  type PromptDefinition,
  type ResourceDefinition,
  type ToolSummary,
} from '@nexus/plugin-sdk';

/** JSON-RPC code of a resource that does not exist (MCP 2025-11-25, Resources, Error Handling). */
const RESOURCE_NOT_FOUND = -32002;
/** At most this many values in one completion (MCP 2025-11-25, Completion). */
const MAX_COMPLETIONS = 100;

/** The resources and prompts of all plugins; what a session serves beside tools. */
export interface Catalogue {
  /** @throws {RegistrationError} when another plugin has that URI or name */
  addResource(resource: ResourceDefinition, runtime: PluginRuntime): void;
  /** @throws {RegistrationError} */
  addPrompt(prompt: PromptDefinition, runtime: PluginRuntime): void;
  listResources(): readonly Record<string, unknown>[];
  readResource(uri: string): Promise<Record<string, unknown>>;
  hasResource(uri: string): boolean;
  listPrompts(): readonly Record<string, unknown>[];
  getPrompt(
    name: string,
    values: Readonly<Record<string, string>>,
    tools: readonly ToolSummary[],
  ): Promise<Record<string, unknown>>;
  completePrompt(
    name: string,
    argument: { readonly name: string; readonly value: string },
    tools: readonly ToolSummary[],
  ): Promise<{ values: string[]; total: number; hasMore: boolean }>;
}

interface Owned<Definition> {
  readonly definition: Definition;
  readonly runtime: PluginRuntime;
}

export function createCatalogue(): Catalogue {
  const resources = new Map<string, Owned<ResourceDefinition>>();
  const prompts = new Map<string, Owned<PromptDefinition>>();

  function findPrompt(name: string) {
    const found = prompts.get(name);
    if (found) return found;
    const nearest = nearestNames(name, prompts.keys());
    const hint = nearest.length > 0 ? `did you mean ${nearest.join(' or ')}?` : 'prompts/list names them all';
    throw invalidParams(`Unknown prompt: ${name}; ${hint}`, { nearest });
  }

  async function promptContext({ runtime }: Owned<PromptDefinition>, tools: readonly ToolSummary[]) {
    const context: PromptContext = { state: await runtime.state(), host: runtime.host, tools };
    return context;
  }

  return {
    addResource: (definition, runtime) => add(resources, definition.uri, { definition, runtime }),
    addPrompt: (definition, runtime) => add(prompts, definition.name, { definition, runtime }),
    hasResource: (uri) => resources.has(uri),
    listResources: () =>
      sorted(resources).map(({ definition: { uri, name, title, description, mimeType } }) => ({
        uri,
        name,
        title,
        description,
        mimeType,
      })),
    async readResource(uri) {
      const found = resources.get(uri);
      if (!found) throw resourceNotFound(uri, [...resources.keys()]);
      const { definition, runtime } = found;
      try {
        const content = await definition.read({ state: await runtime.state(), host: runtime.host });
        const { mimeType } = definition;
        return typeof content === 'string'
          ? { uri, mimeType, text: content }
          : { uri, mimeType, blob: Buffer.from(content).toString('base64') };
      } catch (error) {
        if (!isToolError(error)) throw error;
        if (error.code !== 'NEXUS_NOT_FOUND') throw new ProtocolError(JSON_RPC.internalError, error.message);
        throw new ProtocolError(RESOURCE_NOT_FOUND, error.message, { uri });
      }
    },
    listPrompts: () =>
      sorted(prompts).map(({ definition: { name, title, description, arguments: declared } }) => ({
        name,
        title,
        description,
        arguments: declared.map((argument) => ({
          name: argument.name,
          description: argument.description,
          required: argument.required,
        })),
      })),
    async getPrompt(name, values, tools) {
      const found = findPrompt(name);
      const missing = found.definition.arguments.filter(
        (argument) => argument.required && !values[argument.name],
      );
      if (missing.length > 0) {
        const wanted = missing.map((argument) => `${argument.name} (${argument.description})`);
        throw invalidParams(`Prompt ${name} needs ${wanted.join(', ')}`);
      }
      const text = await found.definition.render(values, await promptContext(found, tools));
      return {
        description: found.definition.description,
        messages: [{ role: 'user', content: { type: 'text', text } }],
      };
    },
    async completePrompt(name, { name: argumentName, value }, tools) {
      const found = findPrompt(name);
      const argument = found.definition.arguments.find((each) => each.name === argumentName);
      if (!argument) throw invalidParams(`Prompt ${name} has no argument ${argumentName}`);
      const all = (await argument.complete?.(value, await promptContext(found, tools))) ?? [];
      return {
        values: all.slice(0, MAX_COMPLETIONS),
        total: all.length,
        hasMore: all.length > MAX_COMPLETIONS,
      };
    },
  };
}

function add<Definition>(
  entries: Map<string, Owned<Definition>>,
  key: string,
  entry: Owned<Definition>,
): void {
  const holder = entries.get(key);
  if (holder) {
    const text = `plugin "${entry.runtime.name}": "${key}" is taken by plugin "${holder.runtime.name}"; rename one`;
    throw new RegistrationError(text);
  }
  entries.set(key, entry);
}

function sorted<Definition>(entries: Map<string, Owned<Definition>>): Owned<Definition>[] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}

function resourceNotFound(uri: string, known: readonly string[]): ProtocolError {
  const nearest = nearestNames(uri, known);
  const hint = nearest.length > 0 ? `; did you mean ${nearest.join(' or ')}?` : '';
  return new ProtocolError(RESOURCE_NOT_FOUND, `Resource not found: ${uri}${hint}`, { uri });
}
