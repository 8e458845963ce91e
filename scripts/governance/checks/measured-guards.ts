import { FIGURES, isOld, readFigures } from '../../mutate/figures.ts';
import { guardsFor, pathOf } from '../../mutate/guards.ts';
import { notMeasured } from '../../mutate/not-measured.ts';
import { LEAST, readSurvivors, SURVIVORS, scoreOf } from '../../mutate/survivors.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Check, Finding } from '../check.ts';

const NAME = 'measured-guards';
const GUARDS = 'scripts/mutate/guards.ts';
/** So many figures may be of an older text of their guard, so that not every change has to wait for its mutants. */
const OLD_AT_MOST = 15;

/** Holds the list of guards to what was found of each. */
export const measuredGuards: Check = {
  name: NAME,
  proves: `each guard has a figure of ${LEAST}% and more or says why it has none, its survivors are listed, and at most ${OLD_AT_MOST} figures are old`,
  run({ workspace }) {
    const guards = guardsFor([]).map(pathOf);
    return [
      ...lost(workspace, guards),
      ...unmeasured(workspace, guards),
      ...untrue(workspace),
      ...old(workspace),
    ];
  },
};

/** What is named and is no guard, or is no file any more. */
function lost(workspace: Workspace, guards: readonly string[]): Finding[] {
  const named: readonly (readonly [where: string, names: readonly string[]])[] = [
    [FIGURES, Object.keys(readFigures(workspace))],
    [SURVIVORS, Object.keys(readSurvivors(workspace))],
    ['scripts/mutate/not-measured.ts', Object.values(notMeasured).flat()],
  ];
  const strangers = named.flatMap(([where, names]) =>
    names
      .filter((name) => !guards.includes(name))
      .map((name) => finding(where, `names ${name}, which is no guard`, 'take it out')),
  );
  const gone = guards.filter((guard) => !workspace.files.includes(guard));
  return [
    ...strangers,
    ...gone.map((guard) => finding(GUARDS, `names ${guard}, which is not there`, 'mend it')),
  ];
}

function unmeasured(workspace: Workspace, guards: readonly string[]): Finding[] {
  const figures = readFigures(workspace);
  const excused = new Set(Object.values(notMeasured).flat());
  return guards.flatMap((guard) => {
    const isMeasured = figures[guard] !== undefined;
    if (isMeasured !== excused.has(guard)) return [];
    return isMeasured
      ? [finding(guard, 'has a figure and is listed as not measured', 'take it out of not-measured.ts')]
      : [finding(guard, 'is a guard that nobody measured', `run \`pnpm mutate ${guard} --figures\``)];
  });
}

/** Figures below the bar, and those whose survivors are not all listed. */
function untrue(workspace: Workspace): Finding[] {
  const survivors = readSurvivors(workspace);
  return Object.entries(readFigures(workspace)).flatMap(([guard, figure]) => {
    const listed = survivors[guard] ?? [];
    const left = figure.total - figure.killed;
    const score = scoreOf(figure, listed);
    return [
      ...(left === listed.length
        ? []
        : [
            finding(
              guard,
              `has ${left} survivors, of which ${listed.length} are listed`,
              `list them in ${SURVIVORS}`,
            ),
          ]),
      ...(score < LEAST
        ? [finding(guard, `has ${score.toFixed(1)}% killed`, 'write the tests that kill more')]
        : []),
    ];
  });
}

function old(workspace: Workspace): Finding[] {
  const figures = readFigures(workspace);
  const names = guardsFor([])
    .filter((guard) => workspace.files.includes(pathOf(guard)) && isOld(workspace, figures, guard))
    .map(pathOf);
  if (names.length <= OLD_AT_MOST) return [];
  const what = `${names.length} figures are of an older text, ${OLD_AT_MOST} at most may be: ${names.join(', ')}`;
  return [finding(FIGURES, what, 'run `pnpm mutate --old --figures`, or name one of them')];
}

function finding(where: string, what: string, fix: string): Finding {
  return { check: NAME, where, what, fix };
}
