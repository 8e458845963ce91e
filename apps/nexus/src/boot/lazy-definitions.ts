import type {
  AnyPlugin,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
} from '@nexus/plugin-sdk';
import type { ListedPlugin } from '../plugins/plugin-listing.ts';

/** What a plugin offers beside tools. */
type Offered = Pick<AnyPlugin, 'resources' | 'resourceTemplates' | 'prompts'>;

/** A plugin's resources and prompts as they are listed; what reads and renders them is loaded when asked for. */
export function lazyDefinitions(plugin: ListedPlugin): Offered {
  return {
    resources: plugin.resources.map(
      (listed): ResourceDefinition => ({
        ...listed,
        async read(context) {
          const { resources } = await plugin.load();
          return found(resources?.find(({ uri }) => uri === listed.uri)).read(context);
        },
      }),
    ),
    resourceTemplates: plugin.resourceTemplates.map(
      ({ completes, ...listed }): ResourceTemplateDefinition => {
        const definition = async () => {
          const { resourceTemplates } = await plugin.load();
          return found(resourceTemplates?.find(({ uriTemplate }) => uriTemplate === listed.uriTemplate));
        };
        return {
          ...listed,
          read: async (values, context) => (await definition()).read(values, context),
          ...(completes && {
            complete: async (...asked: Parameters<NonNullable<ResourceTemplateDefinition['complete']>>) =>
              (await definition()).complete?.(...asked) ?? [],
          }),
        };
      },
    ),
    prompts: plugin.prompts.map((listed): PromptDefinition => {
      const definition = async () => {
        const { prompts } = await plugin.load();
        return found(prompts?.find(({ name }) => name === listed.name));
      };
      return {
        ...listed,
        arguments: listed.arguments.map(({ completes, ...argument }) => ({
          ...argument,
          ...(completes && {
            async complete(typed: string, context: Parameters<PromptDefinition['render']>[1]) {
              const declared = (await definition()).arguments.find(({ name }) => name === argument.name);
              return declared?.complete?.(typed, context) ?? [];
            },
          }),
        })),
        render: async (values, context) => (await definition()).render(values, context),
      };
    }),
  };
}

/** The listing is made of the very definitions, so that what it lists is there. */
function found<Definition>(definition: Definition | undefined): Definition {
  if (!definition) throw new Error('the listing of this build is not that of its plugins; build again');
  return definition;
}
