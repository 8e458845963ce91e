import type { Part } from './part.ts';

/** What is known of a tool that is about to be called; of one that is not there, its name. */
interface ToolToCome {
  readonly toolName: string;
  readonly tool: { readonly plugin: string; readonly budget: string } | undefined;
}

const ASK_MODELS: readonly string[] = ['model', 'panel', 'pipeline'];

/** Whether a call needs the user's word about a part: it would run, load, send or be given what waits there. */
export function concerns({ path: [section, key] }: Part, { toolName, tool }: ToolToCome): boolean {
  // It may be a tool of a plugin that is not loaded.
  if (section === 'plugins') return tool === undefined;
  if (section === 'tools') return key === toolName;
  if (section === 'models') return tool !== undefined && ASK_MODELS.includes(tool.budget);
  if (section === 'project') return true;
  return section === tool?.plugin;
}
