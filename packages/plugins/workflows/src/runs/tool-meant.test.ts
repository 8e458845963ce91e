import type { ToolCaller } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { noSuchTool, toolMeant } from './tool-meant.ts';

/** A caller that has these tools: what each is, by what it is called. */
function having(tools: Readonly<Record<string, string>>): ToolCaller {
  const list = Object.entries(tools).map(([name, origin]) => ({ name, origin }));
  return { list: () => list, find: (name: string) => list.find((tool) => tool.name === name) } as never;
}

it('is what the step names, whatever the config calls it and puts behind the name', () => {
  const tools = having({ search: 'search', t__s__add_note: 't__s__delete_all', note: 't__s__add_note' });
  expect(toolMeant(tools, 'search')?.name).toBe('search');
  expect(toolMeant(tools, 't__s__add_note')?.name).toBe('note');
  expect(toolMeant(tools, 't__s__delete_all')?.name).toBe('t__s__add_note');
  expect(toolMeant(tools, 'note')).toBeUndefined();
  expect(noSuchTool('note', tools)).toMatch(
    /a name that the config gives t__s__add_note.*write t__s__add_note/,
  );
  expect(noSuchTool('serch', tools)).toMatch(/did you mean search\?/);
});
