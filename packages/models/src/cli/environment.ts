import type { CliDialect } from './dialect.ts';

/** Where things are and how the user reads; nothing secret. */
const PLACES = [
  'APPDATA',
  'COMSPEC',
  'HOME',
  'HOMEDRIVE',
  'HOMEPATH',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'LANG',
  'LC_ALL',
  'LOCALAPPDATA',
  'LOGNAME',
  'NODE_EXTRA_CA_CERTS',
  'NO_PROXY',
  'PATH',
  'PATHEXT',
  'PROGRAMFILES',
  'SHELL',
  'SSL_CERT_FILE',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TERM',
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

/** All that a command line gets of this process's environment: the places, and its own variables. */
export function cliEnvironment(
  { variables, fixed }: Pick<CliDialect, 'variables' | 'fixed'>,
  from: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of [...PLACES, ...variables]) {
    const value = from[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...fixed };
}
