import type { ToolCaller } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { noSuchTool, toolMeant, toolReached } from './tool-meant.ts';

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

it('is reached where no open toolbox has it, and is taken only if it is what the step names', async () => {
  const reached: string[] = [];
  const reaching = (origins: Readonly<Record<string, string>>): ToolCaller => {
    let there = having({ search: 'search' });
    const reach = async (origin: string) => {
      reached.push(origin);
      there = having({ note: origins[origin] ?? '' });
    };
    return { list: () => there.list(), find: (name: string) => there.find(name), reach } as never;
  };
  expect((await toolReached(reaching({}), 'search'))?.name).toBe('search');
  expect(reached).toEqual([]);
  expect((await toolReached(reaching({ t__s__find: 't__s__find' }), 't__s__find'))?.name).toBe('note');
  expect(await toolReached(reaching({ t__s__find: 't__s__delete_all' }), 't__s__find')).toBeUndefined();
  expect(await toolReached(having({}), 't__s__find')).toBeUndefined();
  expect(reached).toEqual(['t__s__find', 't__s__find']);
});
