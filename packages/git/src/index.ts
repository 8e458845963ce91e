export { GitFailure, type GitOptions, git, gitExit, PLAIN_DIFF, type WorkingTree } from './git.ts';
export { ownTree } from './own-tree.ts';
