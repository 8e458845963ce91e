import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failure, startProject } from '../../test/start-project.ts';

/** What lies in an ignore file's place. */
const PLANTED = {
  'an endless device': (path: string) => symlinkSync('/dev/zero', path),
  'a pipe': (path: string) => execFileSync('mkfifo', [path]),
  'a file without end': (path: string) => writeFileSync(path, 'x\n'.repeat(600_000)),
} as const;
const PLACES = ['.gitignore', '.git/info/exclude', 'below/deep/.gitignore', 'below/.git/info/exclude'];
const FILES = { 'a.ts': 'export const needle = 1;\n', 'below/deep/b.ts': 'export const needle = 2;\n' };

function plant(project: { readonly path: string }, name: string, kind: keyof typeof PLANTED): string {
  const path = join(project.path, name);
  mkdirSync(dirname(path), { recursive: true });
  PLANTED[kind](path);
  return path;
}

describe.runIf(process.platform !== 'win32')('a list of ignored files that is none', () => {
  it.each(
    PLACES.flatMap((place) =>
      (['an endless device', 'a pipe'] as const).map((kind) => [kind, place] as const),
    ),
  )('%s as %s is named, and no rg stays', async (kind, place) => {
    await using project = await startProject(FILES);
    const path = plant(project, place, kind);
    const { code, text } = await failure(project.call('search_codebase', { query: 'needle', mode: 'regex' }));
    expect(code).toBe('NEXUS_FILE_UNREADABLE');
    expect(text).toContain(path);
  });

  it('is refused at a size that nobody writes', async () => {
    await using project = await startProject(FILES);
    plant(project, '.gitignore', 'a file without end');
    const { code, text } = await failure(project.call('search_codebase', { query: 'needle', mode: 'regex' }));
    expect(code).toBe('NEXUS_FILE_UNREADABLE');
    expect(text).toContain('1200000 bytes');
  });

  it('ends the reading of symbols too', async () => {
    await using project = await startProject(FILES);
    plant(project, 'below/.gitignore', 'a pipe');
    const { code } = await failure(project.call('search_codebase', { query: 'needle', mode: 'symbol' }));
    expect(code).toBe('NEXUS_FILE_UNREADABLE');
  });

  it.each(['.ignore', '.rgignore'])('is not read where git would not: %s', async (name) => {
    await using project = await startProject(FILES);
    plant(project, name, 'an endless device');
    plant(project, `below/${name}`, 'a pipe');
    const { total } = await project.answer('search_codebase', { query: 'needle', mode: 'regex' });
    expect(total).toBe(2);
  });
});
