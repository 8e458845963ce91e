import type { RunStep } from '@nexus/plugin-sdk';

/** What a person is shown of a run: neither values on record nor events. */
export const isShown = ({ kind }: Pick<RunStep, 'kind'>) => kind !== 'value' && kind !== 'event';

/**
 * The steps of a run that a person is shown, each by a title of its own: of several that are called alike, such as a review
 * of each round, each after the first has its number, by which `nexus runs rerun --from` takes it too.
 * @param steps of one run, in the order of their beginning
 */
export function shownSteps<Step extends Pick<RunStep, 'kind' | 'name' | 'title'>>(
  steps: readonly Step[],
): readonly { readonly step: Step; readonly title: string }[] {
  const named = new Map<string, string[]>();
  return steps.filter(isShown).map((step) => {
    const names = named.get(step.title) ?? [];
    named.set(step.title, names);
    // Tried once more it is the same.
    if (!names.includes(step.name)) names.push(step.name);
    const at = names.indexOf(step.name) + 1;
    return { step, title: at === 1 ? step.title : `${step.title} (${at})` };
  });
}
