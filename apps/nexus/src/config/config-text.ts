import { readTextSync, UnreadableFileError } from '@nexus/primitives';
import { ConfigError } from './config-fault.ts';

/** Of a config that somebody writes. */
const MAX_BYTES = 1024 * 1024;

/**
 * The text of a config file.
 * @throws {ConfigError} when it can't be read: gone, not permitted, no regular file, or larger than any config
 */
export function configText(file: string): string {
  try {
    return readTextSync(file, MAX_BYTES);
  } catch (error) {
    const message =
      error instanceof UnreadableFileError ? error.fault : `can't be read: ${(error as Error).message}`;
    throw new ConfigError(file, [{ path: '', message }]);
  }
}
