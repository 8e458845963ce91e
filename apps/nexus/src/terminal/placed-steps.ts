import type { RunDetail, RunStep } from '@nexus/plugin-sdk';
import { shownSteps } from './step-titles.ts';

/** A step of a family of runs, where its line stands by itself. */
export interface PlacedStep extends RunStep {
  readonly runId: string;
  /** The title of the step that its run is for, where that is another's. */
  readonly of?: string | undefined;
  /** The line that is reported of its beginning, which tells nothing apart that is called alike. */
  readonly beginning: string;
}

export interface Happening {
  readonly key: string;
  readonly step: PlacedStep;
  readonly isEnd: boolean;
  readonly at: string;
}

export const keyOf = (runId: string, { name, attempt }: RunStep) => `${runId}/${name}/${attempt}`;

export const under = ({ of }: { readonly of?: string | undefined }, title: string) =>
  of === undefined ? title : `${of}: ${title}`;

/** The beginnings and ends of all steps, in the order in which they happened. */
export function happened(run: RunDetail): Happening[] {
  return everyStep(run)
    .flatMap((step): Happening[] => {
      const key = keyOf(step.runId, step);
      const end = hasEnded(step) ? [{ key, step, isEnd: true, at: step.endedAt ?? '' }] : [];
      return [{ key: `${key} begins`, step, isEnd: false, at: step.startedAt }, ...end];
    })
    .sort(({ at: a }, { at: b }) => (a < b ? -1 : a > b ? 1 : 0));
}

export const endedSteps = (run: RunDetail) => everyStep(run).filter(hasEnded);

interface Above {
  readonly title: string;
  readonly plain: string;
}

function everyStep(run: RunDetail, above?: Above): PlacedStep[] {
  const shown = shownSteps(run.steps);
  const doneBy = ({ parentStep }: RunDetail): Above | undefined => {
    const found = shown.find(({ step }) => step.name === parentStep);
    return found && { title: found.title, plain: found.step.title };
  };
  return [
    ...shown.map(({ step, title }) => ({
      ...withEnd(step, run),
      ...{ title, runId: run.id, of: above?.title, beginning: under({ of: above?.plain }, step.title) },
    })),
    ...run.children.flatMap((child) => everyStep(child, doneBy(child))),
  ];
}

/** What has its answer, and a run that has not taken it yet, has not ended. */
function hasEnded({ status, endedAt }: RunStep): boolean {
  return status !== 'running' && status !== 'waiting' && endedAt !== undefined;
}

/** What its run was in the middle of ended with that. */
export function withEnd(step: RunStep, { endedAt }: RunDetail): RunStep {
  const isCutOff = step.status === 'interrupted' && step.endedAt === undefined;
  return isCutOff && endedAt !== undefined ? { ...step, endedAt } : step;
}
