import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
import { invalidParams, JSON_RPC, type PluginRuntime, ProtocolError } from '@nexus/core';
import {
  isToolError,
  nearestNames,
  type ResourceContext,
  type ResourceDefinition,
  type ResourceTemplateDefinition,
} from '@nexus/plugin-sdk';
import { type Completion, toCompletion } from './completion.ts';
import { addOwned, type Owned, sortedDefinitions } from './owned.ts';

/** JSON-RPC code of a resource that does not exist (MCP 2025-11-25, Resources, Error Handling). */
const RESOURCE_NOT_FOUND = -32002;

/** Who reads. */
export type ResourceReader = Pick<ResourceContext, 'user' | 'roots'>;

export interface Resources {
  /** @throws {RegistrationError} */
  add(resource: ResourceDefinition, runtime: PluginRuntime): void;
  /** @throws {RegistrationError} */
  addTemplate(template: ResourceTemplateDefinition, runtime: PluginRuntime): void;
  list(): readonly Record<string, unknown>[];
  listTemplates(): readonly Record<string, unknown>[];
  /** @throws {ProtocolError} -32002 for a URI that nothing serves */
  read(uri: string, reader: ResourceReader): Promise<Record<string, unknown>>;
  /** Whether a resource has this URI, or a template matches it. */
  has(uri: string): boolean;
  /** What a read of a URI that nothing serves leaves with: -32002 naming the nearest, these others too. */
  notFound(uri: string, others?: readonly string[]): ProtocolError;
  hasTemplate(uriTemplate: string): boolean;
  complete(
    uriTemplate: string,
    argument: { readonly name: string; readonly value: string },
    reader: ResourceReader,
  ): Promise<Completion>;
}

export function createResources(): Resources {
  const resources = new Map<string, Owned<ResourceDefinition>>();
  const templates = new Map<string, Owned<ResourceTemplateDefinition>>();

  /** A resource of its own wins over a template that would match too. */
  function find(uri: string) {
    const resource = resources.get(uri);
    if (resource) {
      const { definition, runtime } = resource;
      return {
        mimeType: definition.mimeType,
        read: async (reader: ResourceReader) => definition.read(await contextOf(runtime, reader)),
      };
    }
    for (const { definition, runtime } of templates.values()) {
      const values = new UriTemplate(definition.uriTemplate).match(uri);
      if (!values) continue;
      const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
      return {
        mimeType: definition.mimeType,
        read: async (reader: ResourceReader) => definition.read(texts, await contextOf(runtime, reader)),
      };
    }
    return undefined;
  }

  function notFound(uri: string, others: readonly string[] = []): ProtocolError {
    const nearest = nearestNames(uri, [...resources.keys(), ...templates.keys(), ...others]);
    const hint = nearest.length > 0 ? `; did you mean ${nearest.join(' or ')}?` : '';
    return new ProtocolError(RESOURCE_NOT_FOUND, `Resource not found: ${uri}${hint}`, { uri });
  }

  return {
    add: (definition, runtime) => addOwned(resources, definition.uri, { definition, runtime }),
    addTemplate: (definition, runtime) =>
      addOwned(templates, definition.uriTemplate, { definition, runtime }),
    has: (uri) => find(uri) !== undefined,
    notFound,
    hasTemplate: (uriTemplate) => templates.has(uriTemplate),
    list: () =>
      sortedDefinitions(resources).map(({ uri, name, title, description, mimeType, icons }) => ({
        uri,
        name,
        title,
        description,
        mimeType,
        ...(icons ? { icons } : {}),
      })),
    listTemplates: () =>
      sortedDefinitions(templates).map(({ uriTemplate, name, title, description, mimeType, icons }) => ({
        uriTemplate,
        name,
        title,
        description,
        mimeType,
        ...(icons ? { icons } : {}),
      })),
    async read(uri, reader) {
      const resource = find(uri);
      if (!resource) throw notFound(uri);
      const { mimeType, read } = resource;
      try {
        const content = await read(reader);
        return typeof content === 'string'
          ? { uri, mimeType, text: content }
          : { uri, mimeType, blob: Buffer.from(content).toString('base64') };
      } catch (error) {
        if (!isToolError(error)) throw error;
        if (error.code !== 'NEXUS_NOT_FOUND') throw new ProtocolError(JSON_RPC.internalError, error.message);
        throw new ProtocolError(RESOURCE_NOT_FOUND, error.message, { uri });
      }
    },
    async complete(uriTemplate, { name, value }, reader) {
      const template = templates.get(uriTemplate);
      if (!template) throw invalidParams(`Unknown resource template: ${uriTemplate}`);
      const { definition, runtime } = template;
      return toCompletion(await definition.complete?.(name, value, await contextOf(runtime, reader)));
    },
  };
}

async function contextOf(runtime: PluginRuntime, { user, roots }: ResourceReader): Promise<ResourceContext> {
  return { state: await runtime.state(), host: runtime.host, user, roots };
}
