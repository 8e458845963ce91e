import { dirname, join, relative, sep } from 'node:path';
import { counted, stableHash } from '@nexus/primitives';
import { visibleWord } from '@nexus/untrusted/shown';

const MODULES = 'node_modules';

/**
 * What a person is told of files that are loaded: each by its name; those of one installed package in a line, with its
 * version and a digest that tells of any change.
 * @param files content by absolute path
 */
export function shownLoaded(files: ReadonlyMap<string, string>, folder: string): string[] {
  const groups = new Map<string, string[]>();
  for (const file of files.keys()) {
    const root = packageOf(file) ?? file;
    groups.set(root, [...(groups.get(root) ?? []), file]);
  }
  return [...groups].flatMap(([root, members]) => {
    if (members.length < 2) return namesOf(members, folder);
    const content = members.map((file) => [relative(root, file), files.get(file)]);
    const named = [nameOf(root), versionOf(files.get(join(root, 'package.json')))].filter(
      (each) => each !== '',
    );
    const place = visibleWord(relative(folder, root));
    return [
      `package ${named.map(visibleWord).join(' ')} in ${place}: ${counted(members.length, 'file')}, sha256 ${stableHash(content)}`,
    ];
  });
}

/** Each file by its name. */
export function namesOf(files: Iterable<string>, folder: string): string[] {
  return [...files].map((file) => visibleWord(relative(folder, file)));
}

/** The folder of the installed package that a file is of. */
function packageOf(file: string): string | undefined {
  const parts = dirname(file).split(sep);
  const at = parts.lastIndexOf(MODULES);
  const length = parts[at + 1]?.startsWith('@') ? 2 : 1;
  return at < 0 || parts.length < at + 1 + length ? undefined : parts.slice(0, at + 1 + length).join(sep);
}

function nameOf(root: string): string {
  return root.slice(root.lastIndexOf(`${sep}${MODULES}${sep}`) + MODULES.length + 2).replaceAll(sep, '/');
}

/** As its package.json has it, where that is held; nothing else is read. */
function versionOf(text: string | undefined): string {
  try {
    const { version } = JSON.parse(text ?? '') as { version?: unknown };
    return typeof version === 'string' ? version : '';
  } catch {
    return '';
  }
}
