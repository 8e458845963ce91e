import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { mergeConfig } from 'vitest/config';
import { slowTests } from '../../vitest.shared.ts';

const E2E = 'test/e2e';

/** Files whose tests are partly run by every check, and partly by the slow step. */
const partlySlow = readdirSync(join(import.meta.dirname, E2E))
  .map((file) => `${E2E}/${file}`)
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) =>
    /^\s*(?:slowlyVerifiesApp|verifiesAnew|byTurns)\(/m.test(
      readFileSync(join(import.meta.dirname, file), 'utf8'),
    ),
  );

/** All files at a time: most of them mostly wait. */
export default mergeConfig(slowTests, {
  test: {
    include: partlySlow,
    // As in every check: half of what short files take would go to loading the same modules anew.
    isolate: false,
    globalSetup: ['test/harness/build-fixtures.ts'],
    provide: { tests: 'slow' },
    // A file's snapshots are those of the tests that run: what no test of this step has would count as left over.
    resolveSnapshotPath: (file: string, ending: string) =>
      join(dirname(file), '__snapshots__', `${basename(file)}.slow${ending}`),
    maxWorkers: 5,
  },
});
