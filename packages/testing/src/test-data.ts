import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Beside the repository's root, where it was fetched to. */
const USUAL_PLACE = new URL('../../../../shared/data/', import.meta.url);

/**
 * Where catalogues of real servers and queries for them are: too large and too foreign for the repository.
 * `NEXUS_TEST_DATA` names the folder; undefined where there is none, and tests of them say that they did not run.
 */
export function testDataFolder(): string | undefined {
  const folder = process.env.NEXUS_TEST_DATA ?? fileURLToPath(USUAL_PLACE);
  return existsSync(folder) ? folder : undefined;
}
