import { expect, it } from 'vitest';
import { findReserved } from './find-reserved.ts';

const held = (worker: string, glob: string, exclusive = true) => ({
  ...{ worker, glob, exclusive, expiresAt: '2030-01-01T00:00:00.000Z' },
});
const pathsOf = async (paths: string[], reservations: ReturnType<typeof held>[], self?: string) =>
  (await findReserved(paths, reservations, self)).map(({ path, held: { worker } }) => `${path} ${worker}`);

it('finds what others have for themselves, whatever the case', async () => {
  const all = [held('ann', 'src/*.ts'), held('ben', 'docs'), held('eve', '**/*.md', false)];
  const paths = ['SRC/a.ts', 'src/a/b.ts', 'docs/x/y.md', 'docs', 'documents/z.md'];
  expect(await pathsOf(paths, all)).toEqual(['SRC/a.ts ann', 'docs/x/y.md ben', 'docs ben']);
  expect(await pathsOf(paths, all, 'ann')).toEqual(['docs/x/y.md ben', 'docs ben']);
});

it('takes brackets as written and as a class', async () => {
  const all = [held('ann', 'app/[id]/page.tsx')];
  expect(await pathsOf(['app/[id]/page.tsx', 'app/i/page.tsx', 'app/x/page.tsx'], all)).toEqual([
    'app/[id]/page.tsx ann',
    'app/i/page.tsx ann',
  ]);
});

it('names no file that is free, however many there are', async () => {
  const reservations = Array.from({ length: 100 }, (_, at) => held('ann', `src/${at}/**/*.ts`));
  const paths = Array.from({ length: 300 }, (_, at) => `src/${at}x/deep/er/file.ts`);
  expect(await pathsOf([...paths, 'src/7/a.ts'], reservations)).toEqual(['src/7/a.ts ann']);
});
