import type { ModelTool } from '@nexus/plugin-sdk';

/** The names of the chat's own tools, which no server's tool has there. */
export const FINDING_TOOLS = ['find_tools', 'use_tool'] as const;

/** How much of the names of what can be found goes with each request. */
const MAX_NAMES_CHARS = 1_500;

/** As the model is told of them, with what there is to find. */
export function findingTools(names: readonly string[]): {
  readonly find: ModelTool;
  readonly use: ModelTool;
} {
  return {
    find: {
      name: 'find_tools',
      description: `Searches the tools that are not listed here, and answers the best with their input schemas, to be called by use_tool. They are: ${enumerate(names)}.`,
      inputSchema: {
        type: 'object',
        properties: {
          queries: {
            type: 'array',
            items: { type: 'string' },
            minItems: 1,
            maxItems: 4,
            description: 'Names of tools, or a few keywords each: verb and object.',
          },
          limit: { type: 'integer', minimum: 1, maximum: 20, description: 'Hits; default 3.' },
        },
        required: ['queries'],
      },
    },
    use: {
      name: 'use_tool',
      description: 'Calls a tool that find_tools found, and answers what it answers.',
      inputSchema: {
        type: 'object',
        properties: {
          tool: { type: 'string', description: 'Its name.' },
          arguments: { type: 'object', description: 'As its input schema says.' },
        },
        required: ['tool'],
      },
    },
  };
}

function enumerate(names: readonly string[]): string {
  let left = MAX_NAMES_CHARS;
  const cutAt = names.findIndex((name) => {
    left -= name.length + 2;
    return left < 0;
  });
  if (cutAt < 0) return names.join(', ');
  return `${names.slice(0, cutAt).join(', ')} and ${names.length - cutAt} more`;
}
