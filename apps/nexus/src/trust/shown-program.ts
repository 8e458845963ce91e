import { relative } from 'node:path';
import { counted } from '@nexus/primitives';
import { visibleLine, visibleWord } from '@nexus/untrusted/shown';
import { boundPackages, shownPackages } from './bound-packages.ts';
import type { ProgramPlaces } from './line-files.ts';
import { type ProgramFiles, programFiles } from './program-files.ts';

const MAX_SHOWN_FILES = 8;

/** Said where the words of a command do not tell for certain what it runs. */
const MAY_RUN_MORE =
  'and whatever else that runs in turn: the command does not tell it, and Nexus does not notice a change of it';

/** Said where scripts are certain but for what they may write: as it runs, that is their own matter. */
export const MAY_RUN_WRITTEN =
  'and whatever else it writes, moves or removes as a file before it runs that: Nexus does not notice a change of it';

/** What a person is told of the files that a command line runs or is told by, all of which are held. */
export function shownProgram(
  { files, packages, variables, says, isCertain, writesFiles }: ProgramFiles,
  folder: string,
) {
  return [
    ...says.map(visibleLine),
    ...variables.map(
      ({ file, name, value }) =>
        `with env ${visibleWord(name)}=${visibleWord(value)}, by ${visibleWord(relative(folder, file))}`,
    ),
    ...shownFiles(Object.keys(files).map((file) => relative(folder, file))),
    ...shownPackages(boundPackages(packages, folder)),
    ...(isCertain ? (writesFiles ? [MAY_RUN_WRITTEN] : []) : [MAY_RUN_MORE]),
  ];
}

/** All of them are held to; a bundle's hundreds need not be read. */
function shownFiles(files: readonly string[]): string[] {
  const more = files.length - MAX_SHOWN_FILES;
  return [
    ...files.slice(0, MAX_SHOWN_FILES).map((file) => `from ${visibleWord(file)}, as it is now`),
    ...(more > 0 ? [`and from ${counted(more, 'more file')} that these import`] : []),
  ];
}

/** Said of commands that are held to their words alone: with what decides, as far as it is seen, which code they run. */
export function shownUnheld(lines: readonly (readonly string[])[], places: ProgramPlaces): string[] {
  const read = lines.map(([command, ...args]) => programFiles({ command, args }, places));
  const files = [...new Set(read.flatMap((each) => Object.keys(each.files)))];
  const named = files.map((file) => visibleWord(relative(places.folder, file)));
  const more = named.length - MAX_SHOWN_FILES;
  const shown = [...named.slice(0, MAX_SHOWN_FILES), ...(more > 0 ? [counted(more, 'more file')] : [])];
  return [
    ...new Set(read.flatMap(({ says }) => says).map(visibleLine)),
    `only these words are held: a change of the files that they run${shown.length > 0 ? `, such as ${shown.join(', ')},` : ''} is not asked about`,
  ];
}
