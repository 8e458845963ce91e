/** Where things are and how the user reads; nothing secret. */
const PLACES = [
  'APPDATA',
  'COMSPEC',
  'HOME',
  'HOMEDRIVE',
  'HOMEPATH',
  'LANG',
  'LC_ALL',
  'LOCALAPPDATA',
  'LOGNAME',
  'PATH',
  'PATHEXT',
  'PROGRAMFILES',
  'SHELL',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'TMPDIR',
  'TZ',
  'USER',
  'USERNAME',
  'USERPROFILE',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
];

/**
 * All that a program gets of this process's environment: the places, and what the config names beside them.
 * Keys of models and other secrets stay here. Windows does not tell `Path` from `PATH`.
 */
export function programEnvironment(
  alsoNamed: readonly string[],
  from: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const wanted = new Set([...PLACES, ...alsoNamed].map(comparable));
  const environment = Object.entries(from).filter(
    // A shell's exported function is code that would run in the program's shells.
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !entry[1].startsWith('()') && wanted.has(comparable(entry[0])),
  );
  return Object.fromEntries(environment);
}

function comparable(name: string): string {
  return process.platform === 'win32' ? name.toUpperCase() : name;
}
