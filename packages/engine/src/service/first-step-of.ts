import { ToolError } from '@nexus/plugin-sdk';
import type { StepRow } from '../record/tables.ts';
import { stepTitle } from '../views/step-title.ts';

const SHOWN = 20;

/**
 * The step that a person or an agent means by what views show: a step's whole name (`after#1/call`), the visit of a
 * node (`after#1`), a node or what a step's name begins with (`after`), or a step's title.
 * @throws {ToolError} NEXUS_NOT_FOUND with the names there are; NEXUS_CONFLICT with those that it may mean
 */
export function firstStepOf(runId: string, steps: readonly StepRow[], written: string): StepRow {
  const meant = written.trim();
  const exact = steps.find(({ name }) => name === meant);
  if (exact) return exact;
  const shown = steps.filter(({ kind }) => kind !== 'value' && kind !== 'event');
  const below = shown.filter(({ name }) => {
    const { node, visit } = visitOf(name);
    return node === meant || visit === meant || name.startsWith(`${meant}/`);
  });
  const isCalled = (step: StepRow) => [step.title, stepTitle(step)].some((title) => title.trim() === meant);
  const found = below.length > 0 ? below : shown.filter(isCalled);
  // All that one visit of a node does begins with the first of it.
  const places = new Map<string, StepRow>();
  for (const step of found) {
    const place = below.length > 0 ? (visitOf(step.name).visit ?? meant) : step.name;
    if (!places.has(place)) places.set(place, step);
  }
  const [first, ...others] = [...places];
  if (!first) {
    const text = `Run ${runId} has no step "${meant}". It has: ${listed([...new Set(shown.map(({ name }) => visitOf(name).visit ?? name))])}.`;
    throw new ToolError('NEXUS_NOT_FOUND', text);
  }
  if (others.length === 0) return first[1];
  const choices = listed([...places.keys()]);
  throw new ToolError('NEXUS_CONFLICT', `"${meant}" may be any of ${choices} of run ${runId}. Name one.`, {
    detail: { runId, choices: [...places.keys()].slice(0, SHOWN) },
  });
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
