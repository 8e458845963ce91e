import { ToolError } from '@nexus/plugin-sdk';
import type { StepRow } from '../record/tables.ts';
import { stepTitle } from '../views/step-title.ts';

const SHOWN = 20;

/**
 * The step that a person or an agent means by what views show: a step's whole name (`after#1/call`), the visit of a
 * node (`after#1`), a node or what a step's name begins with (`after`), a conversation (`plan` of `plan model 2`), or a
 * step's title.
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
    const [holder] = holders;
    const text = holder
      ? `"${meant}" is no step of run ${runId} itself, but of what its step ${called(holder)} does, which is done again as a whole. Name that one: ${holder.name}.`
      : `Run ${runId} has no step "${meant}". It has: ${listed([...new Set(steps.filter(isShown).map(called))])}.`;
    throw new ToolError('NEXUS_NOT_FOUND', text);
  }
  if (others.length === 0) return first[1];
  const choices = [first, ...others].map(([place]) => place);
  throw new ToolError(
    'NEXUS_CONFLICT',
    `"${meant}" may be any of ${listed(choices)} of run ${runId}. Name one.`,
    {
      detail: { runId, choices: choices.slice(0, SHOWN) },
    },
  );
}

/** Whether any of them is called so. */
export function hasStepCalled(steps: readonly StepRow[], written: string): boolean {
  return stepsMeant(steps, written.trim()).length > 0;
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
  const found = below.length > 0 ? below : shown.filter(isCalled);
  // All that one visit of a node does, and one conversation says, begins with the first of it.
  const places = new Map<string, StepRow>();
  for (const step of found) {
    const ofAll = below.length > 0 ? (visitOf(step.name).visit ?? meant) : undefined;
    const place = ofAll ?? conversationOf(step.name) ?? step.name;
    if (!places.has(place)) places.set(place, step);
  }
  return [...places];
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

/** The node and the visit that a step's name begins with: `after` and `after#2` of `after#2/call`, also of items. */
function visitOf(name: string): { readonly node?: string | undefined; readonly visit?: string } {
  const [, node, visit] = /^([^/#]+?)(?:\.items)?#(\d+)/.exec(name) ?? [];
  return node === undefined ? {} : { node, visit: `${node}#${visit}` };
}

function listed(names: readonly string[]): string {
  const more = names.length - SHOWN;
  return `${names.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
