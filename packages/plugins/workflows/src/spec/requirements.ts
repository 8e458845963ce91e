import type { Lines } from '@nexus/plugin-sdk/evidence';
import { z } from 'zod';
import { circlesIn, type Edge, withoutCircles } from './order.ts';
import { demandsOf } from './quoted-demand.ts';
import { readStructure } from './read-structure.ts';

const Id = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9._-]{0,47}$/,
    'must be the specification’s own, such as R-1, or short, such as refuse-empty-input',
  );

/** What a model makes of a specification, done by experts of these roles; checked against it by {@link requirementFaults}. */
export const requirementsBy = (roles: readonly string[] = []) =>
  z.object({
    requirements: z
      .array(
        z.object({
          id: Id.describe(
            'As the specification calls it, where it does (R-1), and then of no other; else short and kebab-case. Unique.',
          ),
          text: z
            .string()
            .min(1)
            .max(4_000)
            .describe(
              'What must hold, whole in itself: whoever does it sees neither the specification nor the others.',
            ),
          quote: z
            .string()
            .min(3)
            .max(2_000)
            .describe('The words of the specification that it comes from, exactly as they stand there.'),
          line: z.int().min(1).describe('Where the quote begins.'),
          role: (roles.length > 0 ? z.enum(roles) : z.string()).describe('The expert who does it.'),
          dependsOn: z
            .array(Id)
            .max(20)
            .default([])
            .describe('Requirements whose results this one needs. Without any they are done side by side.'),
        }),
      )
      .min(1)
      .max(100),
  });

export type Requirements = z.output<ReturnType<typeof requirementsBy>>;

/** What a model made, beside what it was made of. */
export interface Draft {
  readonly spec: string;
  readonly drafted: Requirements;
}

type Drafted = Requirements['requirements'][number];

/** A requirement that stands in the specification. */
export interface Requirement extends Omit<Drafted, 'line'> {
  readonly lines: Lines;
}

/** What is wrong with what a model made of a specification, in words for it. */
export function requirementFaults({ spec, drafted: { requirements } }: Draft): string[] {
  const ids = requirements.map(({ id }) => id);
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  const unknown = requirements.flatMap(({ id, dependsOn }) =>
    dependsOn
      .filter((need) => !ids.includes(need))
      .map((need) => `${id} depends on ${need}, which there is not`),
  );
  const demandOf = demandsOf(spec, requirements);
  return [
    ...[...new Set(repeated)].map((id) => `two requirements are called ${id}`),
    ...unknown,
    ...requirements.flatMap((each) => {
      const demand = demandOf(each);
      return 'fault' in demand ? [`${each.id} ${demand.fault}`] : [];
    }),
    ...circlesIn(requirements).map((circle) => `these wait for each other in a circle: ${circle.join(', ')}`),
  ];
}

/** What is done, and what is not and why. */
export interface SoundRequirements {
  readonly requirements: readonly Requirement[];
  readonly leftOut: readonly { readonly id: string; readonly text: string; readonly reason: string }[];
  /** Needs that were not honoured, since they closed a circle. */
  readonly broken: readonly Edge[];
  /** Places of the specification that ask for something, and that no requirement quotes. */
  readonly uncovered: readonly { readonly lines: Lines; readonly text: string }[];
}

/**
 * The requirements that hold against the specification. One that it does not ask for is left out, and said so, as are
 * the needs that close a circle.
 */
export function soundRequirements({ spec, drafted: { requirements: drafted } }: Draft): SoundRequirements {
  const kept: Requirement[] = [];
  const leftOut: { id: string; text: string; reason: string }[] = [];
  const demandOf = demandsOf(spec, drafted);
  for (const each of drafted) {
    const { line: _, ...requirement } = each;
    const { id, text } = requirement;
    const demand = demandOf(each);
    if ('fault' in demand) leftOut.push({ id, text, reason: `it ${demand.fault}` });
    else if (kept.some((other) => other.id === id)) {
      leftOut.push({ id, text, reason: 'another is called the same' });
    } else kept.push({ ...requirement, lines: demand.lines });
  }
  const ids = new Set(kept.map(({ id }) => id));
  const known = kept.map((each) => ({ ...each, dependsOn: each.dependsOn.filter((id) => ids.has(id)) }));
  const { items, broken } = withoutCircles(known);
  const isCovered = ({ from, to }: Lines) => items.some(({ lines }) => lines.from <= to && lines.to >= from);
  const uncovered = readStructure(spec)
    .filter(({ lines }) => !isCovered(lines))
    .map(({ lines, text }) => ({ lines, text }));
  return { requirements: items, leftOut, broken, uncovered };
}
