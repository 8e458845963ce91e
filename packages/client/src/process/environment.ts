import { delimiter, dirname, isAbsolute } from 'node:path';

/** What every server may know of this process: where things are and how the user reads, nothing secret. */
const INHERITED =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'COMSPEC',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'PROCESSOR_ARCHITECTURE',
        'PROGRAMFILES',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'TMP',
        'USERNAME',
        'USERPROFILE',
      ]
    : ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'];

/** A server's environment: the few variables that every process gets, those that are named, and its settings' own. */
export function serverEnvironment(
  own: Readonly<Record<string, string>>,
  {
    from = process.env,
    inherits = [],
  }: { from?: NodeJS.ProcessEnv; inherits?: readonly string[] | undefined } = {},
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of [...INHERITED, ...inherits]) {
    const value = from[name];
    // A shell's exported function is code that would run in the server's shells.
    if (value !== undefined && !value.startsWith('()')) environment[name] = value;
  }
  return { ...environment, PATH: withNodeFolder(environment.PATH), ...own };
}

/**
 * A `PATH` that ends with where this Node.js is. A host that is started from a menu has a short one, without the
 * folder of `npx`, by which most servers are started; what the `PATH` has comes first all the same.
 * @param nodes by its name when it was started, which may be a link beside `npx`, and by its own
 */
export function withNodeFolder(
  path = '',
  nodes: readonly string[] = [process.argv0, process.execPath],
): string {
  const folders = path.split(delimiter).filter(Boolean);
  const more = nodes.filter((node) => isAbsolute(node)).map((node) => dirname(node));
  return [...folders, ...new Set(more.filter((folder) => !folders.includes(folder)))].join(delimiter);
}
