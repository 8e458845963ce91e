import type { ToolboxesConfig } from './toolboxes-section.ts';

export function enabledServers({ mcpServers }: Pick<ToolboxesConfig[string], 'mcpServers'>) {
  return Object.entries(mcpServers).filter(([, { disabled }]) => !disabled);
}
