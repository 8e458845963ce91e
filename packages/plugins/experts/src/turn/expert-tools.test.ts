import type { ToolCaller } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { expertsOptions } from '../options.ts';
import { type ExpertRole, roleOf } from '../roles/roles.ts';
import { assertStillMeant, expertTools } from './expert-tools.ts';

/** A caller that has these tools, none of them read-only: what each is, by what it is called. */
function having(tools: Readonly<Record<string, string>>): ToolCaller {
  const annotations = { readOnlyHint: false };
  const list = Object.entries(tools).map(([name, origin]) => ({ name, origin, annotations }));
  return { list: () => list, find: (name: string) => list.find((tool) => tool.name === name) } as never;
}

const names = (tools: Readonly<Record<string, string>>, options: object) =>
  expertTools(having(tools), expertsOptions.parse(options)).map(({ name }) => name);

it('binds an allowed tool to what it is at its server', () => {
  const allowTools = ['t__s__add_*'];
  expect(names({ t__s__add_note: 't__s__add_note' }, { allowTools })).toEqual(['t__s__add_note']);
  expect(names({ t__s__add_note: 't__s__delete_all' }, { allowTools })).toEqual([]);
  expect(names({ note: 't__s__add_note' }, { allowTools })).toEqual(['note']);
});

it('tells first, in the order of the list, what reads the project, and what looks elsewhere to the role for it alone', () => {
  const list = ['list_files', 'memory_query', 'read_file', 'research_query', 't__s__look', 'weather_report'];
  const caller = {
    list: () => list.map((name) => ({ name, origin: name, annotations: { readOnlyHint: true } })),
  } as never;
  const of = (role: ExpertRole) =>
    expertTools(caller, expertsOptions.parse({}), roleOf(role)).map(({ name }) => name);
  const all = ['list_files', 'read_file', 'memory_query'];
  expect(of('code')).toEqual([...all, 't__s__look']);
  expect(of('research')).toEqual([...all, 'research_query', 't__s__look']);
});

it('denies a tool by what it is and by what it is called', () => {
  const moved = { t__s__add_note: 't__s__delete_all' };
  expect(names(moved, { allowTools: ['*'] })).toEqual(['t__s__add_note']);
  expect(names(moved, { allowTools: ['*'], denyTools: ['t__s__add_note'] })).toEqual([]);
  expect(names(moved, { allowTools: ['*'], denyTools: ['t__s__delete_all'] })).toEqual([]);
});

it('lets no call reach another tool that came to bear the name in the middle of a turn', () => {
  const given = { name: 't__s__add_note', origin: 't__s__add_note' };
  expect(() => assertStillMeant(having({ t__s__add_note: 't__s__add_note' }), given)).not.toThrow();
  expect(() => assertStillMeant(having({ t__s__add_note: 't__s__delete_all' }), given)).toThrow(
    expect.objectContaining({ code: 'NEXUS_DENIED' }),
  );
});
