import { type FileLines, linesShownBy, type RunContext } from '@nexus/plugin-sdk';
import { wholePlace } from '../../ground/whole-place.ts';
import type { ConsensusOptions } from '../../options.ts';
import { type Filtered, filterFinding } from './filter.ts';
import type { Finding } from './finding.ts';

interface Look extends Filtered {
  readonly looks: 1 | 2;
  /** What its judge was shown of the project, or opened. */
  readonly seen: readonly FileLines[];
}

/** By the function around it where the project holds it; what that does not tell is looked for in the project, once. */
export async function lookAt(
  run: RunContext<{ readonly options: ConsensusOptions }>,
  finding: Finding,
  {
    code,
    models,
    name,
    missing,
    isInProject,
    against,
  }: {
    readonly code: string;
    readonly models: readonly string[];
    /** Ends the names of its steps. */
    readonly name: string;
    readonly missing: readonly string[];
    readonly isInProject: boolean;
    /** What a proof that was tried says against it. */
    readonly against?: string;
  },
): Promise<Look> {
  const whole = isInProject
    ? await run.step(
        `whole ${name}`,
        async ({ tools }) => (await wholePlace(finding, { host: run.host, tools })) ?? null,
        {
          title: `reads what stands around it in ${finding.file}`,
        },
      )
    : null;
  const { ballotTimeoutMs: timeoutMs } = run.state.options;
  const asked = {
    ...{ code, models, missing, timeoutMs, against },
    whole: whole === null ? undefined : beyond(code, whole),
  };
  const shown = [
    ...newLinesOf(code).map((line) => ({ file: finding.file, from: line, to: line })),
    ...linesShownBy(whole ?? ''),
  ];
  const first = await filterFinding(run, finding, { ...asked, name: `filter ${name}` });
  if (first.verdict !== 'cannot_tell' || !isInProject) return { ...first, looks: 1, seen: shown };
  const openQuestion = first.reasoning;
  const second = await filterFinding(run, finding, { ...asked, name: `second look ${name}`, openQuestion });
  return { ...second, looks: 2, seen: [...shown, ...(second.seen ?? [])] };
}

/** Of a change as it is shown, the numbers of the lines that are there with it. */
function newLinesOf(code: string): number[] {
  return [...code.matchAll(/^ *(\d+) [+ ] /gm)].map(([, line]) => Number(line));
}

/** What a file shows, where any line of it is not in the change as shown. */
function beyond(code: string, whole: string): string | undefined {
  const shown = new Set(newLinesOf(code));
  const isShown = linesShownBy(whole).every(({ from, to }) => {
    return Array.from({ length: to - from + 1 }, (_, at) => from + at).every((line) => shown.has(line));
  });
  return isShown ? undefined : whole;
}
