import type { Found } from '../config/find.ts';
import { readConfigFile } from '../config/load.ts';
import type { Part } from './part.ts';
import { judge } from './trust.ts';
import { trustParts } from './trust-record.ts';

/**
 * Trusts what a command of the user's has just written into a config, and nothing else of it.
 * @param isWritten which of its parts that is
 * @returns those parts
 */
export async function trustWritten(
  configFile: string,
  isWritten: (part: Part) => boolean,
): Promise<readonly Part[]> {
  const found: Found = { configFile, projectRoot: '', isOwnChoice: false, refused: [], hidden: [] };
  const { parts } = await judge(await readConfigFile(configFile), found, {
    ...process.env,
    NEXUS_TRUST: '',
    NEXUS_DATABASE_URL: '',
  });
  const written = parts.filter(isWritten);
  if (written.length > 0) trustParts(written, parts);
  return written;
}
