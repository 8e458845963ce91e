// What makes tools and listings of definitions. Apart, since zod is behind it, and a start that lists from
// what is known already needs none.
export { toInputSchema, toOutputSchema, toWholeInputSchema, toWholeOutputSchema } from './json-schema.ts';
export { listTool } from './listed-tool.ts';
export { withRunOutput } from './long-tool.ts';
export { pluginTool, toListing, wholeInputOf } from './plugin-tool.ts';
