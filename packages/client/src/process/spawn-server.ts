import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { type Started, startProgram } from '@nexus/processes';
import type { ConnectOptions } from '../connect-options.ts';
import { ConnectionError } from '../connection-error.ts';
import type { Mask } from '../mask-secrets.ts';
import type { ConnectionSettings } from '../settings.ts';
import { serverEnvironment } from './environment.ts';

/**
 * A server whose start was given up is ended.
 * @throws {ConnectionError} it could not be started; the message says why and what to do
 * @throws the signal's reason
 */
export async function spawnServer(
  settings: ConnectionSettings,
  {
    serverName,
    projectRoot,
    inherits,
    signal,
  }: Pick<ConnectOptions, 'serverName' | 'projectRoot' | 'inherits' | 'signal'>,
  mask: Mask,
): Promise<Started> {
  const { command = '', args } = settings;
  const cwd = settings.cwd ?? projectRoot;
  const changed = changedFile(settings.files ?? {});
  if (changed !== undefined) {
    const reason = `is not started: ${changed} is not what it was when the user trusted it; \`nexus trust\` shows what has changed, and lets it run`;
    throw new ConnectionError(serverName, { reason }, { isUnsent: true });
  }
  try {
    const environment = serverEnvironment(settings.env, { inherits });
    return await startProgram({ command, args, cwd, environment, hasGroup: true, signal });
  } catch (error) {
    signal?.throwIfAborted();
    const reason = `can't be started: ${startFailure(error, command, cwd)}`;
    throw new ConnectionError(serverName, { reason: mask(reason) }, { cause: error, isUnsent: true });
  }
}

/** Read anew at each start, since a server may be started again hours after its config was read. */
function changedFile(files: Readonly<Record<string, string>>): string | undefined {
  return Object.keys(files).find((file) => {
    if (files[file] === '') return existsSync(file); // a package there would be taken before the one that is meant
    try {
      return createHash('sha256').update(readFileSync(file)).digest('hex') !== files[file];
    } catch {
      return true;
    }
  });
}

function startFailure(error: unknown, command: string, cwd: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (!existsSync(cwd)) return `its folder ${cwd} does not exist; correct "cwd" in the config`;
  if (code === 'ENOENT') {
    return `there is no command "${command}" on the PATH; install it, or write its full path in the config`;
  }
  if (code === 'EACCES') return `"${command}" may not be executed; make it executable`;
  return error instanceof Error ? error.message : String(error);
}
