import { codeAround } from '../diff/code-around.ts';
import { openDiff } from '../diff/open-diff.ts';
import { filesInProject } from '../facts/project-files.ts';
import { placeClaims } from '../findings/place-claims.ts';

/** Everything of this plugin that reads a diff: each takes it whole, so that nothing large comes back. */
export const readers = { openDiff, filesInProject, placeClaims, codeAround };
