import { ToolError } from '@nexus/plugin-sdk';
import type { StepRow } from '../record/tables.ts';
import { visitOf } from '../record/visit-of.ts';
import { stepTitle } from '../views/step-title.ts';

const SHOWN = 20;

/**
 * The step that a person or an agent means by what views show: a step's whole name (`after#1/call`), the visit of a
 * node (`after#1`), a node or what a step's name begins with (`after`), a conversation (`plan` of `plan model 2`), or the
 * title of one step alone, such as with the number that views give to one of several (`reviews the diff (2)`).
 * @param holders the steps of this run in whose own runs a step is called so
 * @throws {ToolError} NEXUS_NOT_FOUND with the names there are; NEXUS_CONFLICT with those that it may mean
 */
export function firstStepOf(
  runId: string,
  steps: readonly StepRow[],
  { written, holders = [] }: { readonly written: string; readonly holders?: readonly StepRow[] },
): StepRow {
  const meant = written.trim();
  const [first, ...others] = stepsMeant(steps, meant);
  if (!first) {
    const [holder, ...more] = holders;
    if (holder && more.length > 0)
      throw severalMeant(
        runId,
        meant,
        holders.map(({ name }) => name),
      );
    const text = holder
      ? `"${meant}" is no step of run ${runId} itself, but of what its step ${called(holder)} does, which is done again as a whole. Name that one: ${holder.name}.`
      : `Run ${runId} has no step "${meant}". It has: ${listed([...new Set(steps.filter(isShown).map(called))])}.`;
    throw new ToolError('NEXUS_NOT_FOUND', text);
  }
  if (others.length === 0) return first[1];
  throw severalMeant(
    runId,
    meant,
    [first, ...others].map(([place]) => place),
  );
}

/** Each is named by what means it alone. */
function severalMeant(runId: string, meant: string, choices: readonly string[]): ToolError {
  const text = `"${meant}" may be any of ${listed(choices)} of run ${runId}. Name one.`;
  return new ToolError('NEXUS_CONFLICT', text, { detail: { runId, choices: choices.slice(0, SHOWN) } });
}

/** Whether any of them is called so. */
export function hasStepCalled(steps: readonly StepRow[], written: string): boolean {
  return stepsMeant(steps, written.trim()).length > 0;
}

/** A step, those of its run, and those of a run that it does. */
interface Below {
  readonly step: StepRow;
  readonly beside: readonly StepRow[];
  readonly own: readonly StepRow[];
}

/** Whether one of them is meant by what a view that shows all in one list calls it: `alpha: asks the model`. */
export function isCalledUnder({ step, beside, own }: Below, written: string): boolean {
  const parts = written.trim().split(': ');
  return parts.slice(1).some((_, at) => {
    const [above, below] = [parts.slice(0, at + 1), parts.slice(at + 1)].map((some) => some.join(': '));
    const isOf = stepsMeant(beside, above ?? '').some(([, first]) => first === step);
    return isOf && hasStepCalled(own, below ?? '');
  });
}

const isShown = ({ kind }: StepRow) => kind !== 'value' && kind !== 'event';

/** All that it may mean: each place by what names it, with the first step of it. */
function stepsMeant(steps: readonly StepRow[], meant: string): (readonly [place: string, first: StepRow])[] {
  const exact = steps.find(({ name }) => name === meant);
  if (exact) return [[meant, exact]];
  const shown = steps.filter(isShown);
  const below = shown.filter(({ name }) => {
    const { node, visit } = visitOf(name);
    return (
      node === meant || visit === meant || name.startsWith(`${meant}/`) || conversationOf(name) === meant
    );
  });
  const isCalled = (step: StepRow) => [step.title, stepTitle(step)].some((title) => title.trim() === meant);
  const places = new Map<string, StepRow>();
  // All that one visit of a node does, and one conversation says, begins with the first of it.
  for (const step of below) {
    const place = visitOf(step.name).visit ?? meant;
    if (!places.has(place)) places.set(place, step);
  }
  // A title may be that of many, of which nobody knows which one is meant.
  for (const step of shown.filter((each) => isCalled(each) && !below.includes(each))) {
    places.set(step.name, step);
  }
  return places.size > 0 ? [...places] : numbered(shown, meant);
}

/** Of several that are called alike views number those after the first: `reviews the diff (2)`. */
function numbered(shown: readonly StepRow[], meant: string): (readonly [place: string, first: StepRow])[] {
  const [, title, number] = /^(.+) \((\d{1,6})\)$/.exec(meant) ?? [];
  const step = shown.filter((each) => stepTitle(each).trim() === title)[Number(number) - 1];
  return step ? [[step.name, step]] : [];
}

/** As a view shows it, and the name that it goes by. */
function called(step: StepRow): string {
  const place = visitOf(step.name).visit;
  const title = stepTitle(step);
  if (place !== undefined) return place;
  return title === step.name ? step.name : `${step.name} (${title})`;
}

/** What the model calls, and the tool calls, of one conversation with steps of its own are named by. */
function conversationOf(name: string): string | undefined {
  return /^(.+?) (?:kit|model \d+|tool \d+ .*)$/.exec(name)?.[1];
}

function listed(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
