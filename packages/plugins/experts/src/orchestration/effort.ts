import type { ExpertRole } from '../roles/roles.ts';

export const efforts = ['auto', 'one', 'team'] as const;

/** `one`: an expert alone. `team`: planned, reviewed, written. `auto`: as the task's form says. */
export type Effort = (typeof efforts)[number];

/** How much work a task gets, and why. */
export interface ChosenEffort {
  /** Absent for a team: its planner names them. */
  readonly role?: ExpertRole;
  readonly why: string;
}

const MAX_CHARS = 400;
const MAX_SENTENCES = 2;
const MAX_NAMES = 2;

/** Beginnings of words that speak for another expert than `code`. */
const ROLE_WORDS: Readonly<Partial<Record<ExpertRole, readonly string[]>>> = {
  security: ['secur', 'attack', 'vulnerab', 'exploit', 'injection'],
  testing: ['test'],
  documentation: ['document', 'docs', 'readme', 'changelog'],
  architecture: ['architect', 'structur', 'modul'],
  devops: ['deploy', 'release', 'pipeline', 'ci'],
};

/**
 * A task in one or two sentences about one or two files or symbols is one expert's: a plan of it has one step, and
 * nobody has to be told what another found. Any other is planned.
 * @param named the files and symbols that it names, each once
 */
export function chooseEffort(task: string, wanted: Effort, named: readonly string[]): ChosenEffort {
  const role = roleFor(task);
  if (wanted === 'one') return { role, why: `One expert (${role}) alone, as the call asked for.` };
  if (wanted === 'team') return { why: 'A team, as the call asked for.' };
  const names = named.length;
  const sentences = task.split(/[.?!](?:\s|$)/).filter((part) => part.trim() !== '').length;
  const reasons = [
    ...(task.length > MAX_CHARS || task.trim().includes('\n') ? ['is long'] : []),
    ...(sentences > MAX_SENTENCES ? [`has ${sentences} sentences`] : []),
    ...(names === 0 ? ['names no file or symbol'] : []),
    ...(names > MAX_NAMES ? [`names ${names} files and symbols`] : []),
  ];
  if (reasons.length > 0) return { why: `Planned for a team, since the task ${reasons.join(' and ')}.` };
  return {
    role,
    why: `One expert (${role}) alone, without plan, review and writer: the task is short and names what it is about. effort=team has it planned.`,
  };
}

function roleFor(task: string): ExpertRole {
  const words = task.toLowerCase().match(/[a-z]+/g) ?? [];
  const scores = Object.entries(ROLE_WORDS).map(([role, starts]) => ({
    role: role as ExpertRole, // a key of the table
    score: words.filter((word) =>
      starts.some((start) => (start.length < 4 ? word === start : word.startsWith(start))),
    ).length,
  }));
  const best = Math.max(...scores.map(({ score }) => score));
  const leading = scores.filter(({ score }) => score === best);
  return best > 0 && leading.length === 1 ? (leading[0]?.role ?? 'code') : 'code';
}
