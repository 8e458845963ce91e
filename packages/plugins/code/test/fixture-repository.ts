import { execFileSync } from 'node:child_process';
import { type Files, makeFolder } from './start-project.ts';

/** A git repository in a temporary folder, with one commit of these files. */
export function makeRepository(files: Files): ReturnType<typeof makeFolder> & {
  git(...args: readonly string[]): string;
  commit(message: string, files: Files): void;
} {
  const folder = makeFolder(files);
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, {
      cwd: folder.path,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: folder.path,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@localhost',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@localhost',
      },
    });
  const commit = (message: string, more: Files) => {
    folder.write(more);
    git('add', '-A');
    git('commit', '-q', '-m', message);
  };
  git('init', '-q', '-b', 'main');
  commit('begin', {});
  return { ...folder, git, commit };
}
