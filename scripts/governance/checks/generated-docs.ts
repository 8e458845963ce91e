import { type Check, lookedAtNothing } from '../check.ts';
import { generatedFiles } from '../generated-files.ts';
import { firstDifference } from '../line-difference.ts';

const NAME = 'generated-docs';

export const generatedDocs: Check = {
  name: NAME,
  proves: 'the pages and the config schema made from the code are current',
  run(subject) {
    if (subject.plugins.length === 0) return lookedAtNothing(NAME, 'plugins');
    return generatedFiles.flatMap(({ file, render }) => {
      const fix = 'run `pnpm governance update` and commit what it writes';
      const { workspace } = subject;
      if (!workspace.files.includes(file)) return [{ check: NAME, where: file, what: 'is not there', fix }];
      const difference = firstDifference(workspace.read(file), render(subject));
      if (!difference) return [];
      const what = `line ${difference.line} is "${difference.before}" and should be "${difference.after}"`;
      return [{ check: NAME, where: file, what, fix }];
    });
  },
};
