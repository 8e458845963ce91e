import { FIGURES, isOld, readFigures } from '../../mutate/figures.ts';
import { guardsFor, pathOf } from '../../mutate/guards.ts';
import { notMeasured } from '../../mutate/not-measured.ts';
import { LEAST, readSurvivors, scoreOf } from '../../mutate/survivors.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { page, table } from './markdown.ts';

const INTRO = `This page is for whoever works on the code of Nexus, and wants to know whether its tests would notice a guard that is gone.

A guard that can be taken out without a test failing is not tested, whatever the coverage says. \`pnpm mutate\` changes the files that guard something, one expression at a time ([StrykerJS](https://stryker-mutator.io/)), and runs the tests of the file's own package that reach it.

- **What is a guard** stands in one list, [guards.ts](../scripts/mutate/guards.ts): ends of sessions, fences, leases, trust, containment, caps, redaction, limits, pins, owners and the audit trail.
- **What must hold:** of the mutants of a file that a test could kill, ${LEAST}% are killed by tests of its own package. Each survivor is listed in [survivors.json](../scripts/mutate/survivors.json) with a reason: \`same\`, it does what the code does, so that no test can tell; \`elsewhere\`, tests of another package or end to end hold it, and the reason names them; \`harmless\`, what it changes guards nothing. A survivor that is not listed fails, and so does one that is listed and was killed.
- **What is not changed:** the words of errors and of log lines.
- **When it runs:** \`pnpm mutate --changed\` takes the guards that the last commit changed, for fifteen minutes at the most, as a part of \`pnpm test:slow\`; what it did not reach is said. All guards take hours.
- **What every check holds:** \`check:measured-guards\` reads the figures below and runs no mutant. Each guard has a figure or says why it has none, and as many survivors are listed as the figure has. A figure is of the file as it was then. A few may be of an older text, and the table says which; where there are more, the check fails, and \`pnpm mutate --old --figures\` measures those anew ([why](decisions/0161-a-guard-has-a-figure-of-its-text.md)).
- **How:** over a copy of the checkout, one file after another. Stryker's TypeScript checker needs the compiler's JavaScript API, which TypeScript 7 has not, so a mutant that would not compile is run like any other. A mutant is at work in the process of the tests and not in those that they start; what is only shown from outside counts as a survivor, and so does what only Postgres shows: the tests run on the embedded database alone.`;

const AFTER = `Where all tests that reach a file take minutes for each mutant, \`testsOf\` in [guards.ts](../scripts/mutate/guards.ts) names the few that are to hold it, and only those are run, all of them for each mutant: a statement that is put together at its first use would count as reached by the first test alone. How long it takes then is mostly how long the test's own modules take to load, which is done anew for each mutant. A machine that is busy gives each mutant the more time the more wait for its processors, so that a test that waits for its turn is not counted as one that hangs.`;

/** docs/mutation.md: what was found of each guard. */
export function mutationPage(workspace: Workspace): string {
  const figures = readFigures(workspace);
  const survivors = readSurvivors(workspace);
  const old = new Set(
    guardsFor([])
      .filter((guard) => workspace.files.includes(pathOf(guard)) && isOld(workspace, figures, guard))
      .map(pathOf),
  );
  const rows = Object.entries(figures).map(([path, figure]) => {
    const { total, killed, hung } = figure;
    const counts = [total, killed, hung, total - killed].map(String);
    const score = `${scoreOf(figure, survivors[path]).toFixed(1)}%`;
    return [`\`${path}\``, ...counts, score, old.has(path) ? 'an older one' : 'today’s'];
  });
  return page('Guards that tests hold', [
    INTRO,
    '## Figures',
    `\`pnpm mutate NAME --figures\` keeps what it found of each file in [figures.json](../${FIGURES}), and \`pnpm governance update\` writes the table.`,
    table(
      ['File', 'Mutants', 'Killed', 'By a hang', 'Survivors', 'Of those that a test could kill', 'Text'],
      rows,
    ),
    AFTER,
    '## Not measured',
    ...Object.entries(notMeasured).map(
      ([reason, paths]) => `${reason}:\n\n${paths.map((path) => `- \`${path}\``).join('\n')}`,
    ),
  ]);
}
