import { expect, it } from 'vitest';
import { scopeOf } from './scope.ts';

const host = { projectRoot: '/p', privatePaths: ['/p/data'] } as unknown as Parameters<
  typeof scopeOf
>[0]['host']; // only what is read
const named =
  (...paths: string[]) =>
  async () =>
    paths.map((path) => ({ path, name: path }));

it('has the roots that are neither Nexus’s own nor git’s', async () => {
  const roots = named('/p', '/p/.git', '/p/data/x', '/q/.git/hooks', '/q');
  const scope = await scopeOf({ host, roots });
  expect(scope.roots.map(({ path }) => path)).toEqual(['/p', '/q']);
});

it('says so where none is left', async () => {
  await expect(scopeOf({ host, roots: named('/p/.git', '/p/data') })).rejects.toMatchObject({
    code: 'NEXUS_OUTSIDE_ROOTS',
    message: expect.stringContaining('(/p/.git, /p/data): it is Nexus’s own or git’s own'),
  });
});
