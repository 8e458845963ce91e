import type { Client } from './connect-to-nexus.ts';
import { readTool, type ToolAnswer } from './read-tool.ts';

/** All toolboxes, page by page. */
export async function everyToolbox(client: Client): Promise<ToolAnswer<'list_toolboxes'>['toolboxes']> {
  const all: ToolAnswer<'list_toolboxes'>['toolboxes'] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page: ToolAnswer<'list_toolboxes'> = await readTool(client, 'list_toolboxes', { offset });
    all.push(...page.toolboxes);
    offset = page.nextOffset;
  }
  return all;
}
