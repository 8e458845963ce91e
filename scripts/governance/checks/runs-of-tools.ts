import { place, sourceFiles, withoutComments } from '../../workspace/source-files.ts';
import { type Check, lookedAtNothing } from '../check.ts';

const NAME = 'runs-of-tools';
const OF_PLUGINS = /^packages\/plugins\//;
/** What begins a run, or goes on with one, on behalf of a call. */
const BEGINS = /\bruns\s*\.\s*(?:start|startedUnder|takeUp|rerun)\s*\(/g;

export const runsOfTools: Check = {
  name: NAME,
  proves:
    'no plugin begins a run past defineRunTool, which alone looks the key of a call up before the world',
  run({ workspace }) {
    const files = sourceFiles(workspace).filter(
      (file) => OF_PLUGINS.test(file) && !file.endsWith('.test.ts'),
    );
    if (files.length === 0) return lookedAtNothing(NAME, 'files');
    return files.flatMap((file) => {
      const text = withoutComments(workspace.read(file));
      return [...text.matchAll(BEGINS)].map((match) => ({
        check: NAME,
        where: place(file, text, match.index),
        what: `begins a run by ${match[0].replace(/\s/g, '')}…)`,
        fix: 'make the tool by defineRunTool; in a run, have a child by run.child, or call the tool by step.tools',
      }));
    });
  },
};
