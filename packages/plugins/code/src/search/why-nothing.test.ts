import { expect, it } from 'vitest';
import { startProject } from '../../test/start-project.ts';

const FILES = { 'a.ts': 'class Broken extends Error {}\nfunction tryStat() {}\n' };

it.each([
  ['tryStat|tryRender', 'a.ts:2'],
  ['class .* extends Error', 'a.ts:1'],
  ['^function', 'a.ts:2'],
])(
  'a regular expression that was taken literally is told of, with where it would hit: %s',
  async (query, at) => {
    await using project = await startProject(FILES);
    const { notes } = await project.answer<{ notes?: string[] }>('search_codebase', { query });
    expect(notes).toEqual([
      `Mode text takes the query literally. As a regular expression it is in 1 line, such as ${at}: mode "regex".`,
    ]);
  },
);

it('that hits nothing either, or is none, is not praised', async () => {
  await using project = await startProject(FILES);
  const notesOf = async (query: string) =>
    (await project.answer<{ notes?: string[] }>('search_codebase', { query })).notes;
  expect(await notesOf('no|none')).toEqual([
    'Mode text takes the query literally. As a regular expression it is in no line either.',
  ]);
  expect(await notesOf('(a|b')).toBeUndefined();
  expect(await notesOf('nowhere(x)')).toBeUndefined();
});
