import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The file with the catalogues of real servers: in the folder that NEXUS_TEST_DATA names, or in
 * `shared/data` beside the repository. It is not part of the repository.
 */
export function cataloguesFile(): string | undefined {
  const beside = fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
  const file = join(process.env.NEXUS_TEST_DATA ?? beside, 'tool-catalogues.json');
  return existsSync(file) ? file : undefined;
}
