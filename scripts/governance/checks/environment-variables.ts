import { place, sourceFiles } from '../../workspace/source-files.ts';
import { type Check, lookedAtNothing } from '../check.ts';
import { environment } from '../pages/environment.ts';

const NAME = 'environment-variables';
const TABLE_FILE = 'scripts/governance/pages/environment.ts';

export const environmentVariables: Check = {
  name: NAME,
  proves: 'docs/configuration.md names every environment variable that the code reads, and no other',
  run({ workspace }) {
    // What only tests read is no setting of a user's.
    const shipped = sourceFiles(workspace).filter((file) => !file.startsWith('packages/testing/'));
    const reads = shipped.flatMap((file) => {
      const text = workspace.read(file);
      return [...text.matchAll(/\benv\.((?:NEXUS|WORKBENCH)_\w+)/g)].map((match) => ({
        where: place(file, text, match.index),
        name: match[1] ?? '',
      }));
    });
    if (reads.length === 0) return lookedAtNothing(NAME, 'reads of the environment');
    const undocumented = reads
      .filter(({ name }) => !Object.hasOwn(environment, name))
      .map(({ where, name }) => ({
        check: NAME,
        where,
        what: `reads ${name}, which no page names`,
        fix: `say what it does in ${TABLE_FILE}`,
      }));
    const stale = Object.keys(environment)
      .filter((name) => !reads.some((read) => read.name === name))
      .map((name) => ({
        check: NAME,
        where: TABLE_FILE,
        what: `names ${name}, which nothing reads`,
        fix: 'remove it',
      }));
    return [...undocumented, ...stale];
  },
};
