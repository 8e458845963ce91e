import type { RunInstance } from '../execution/run-instance.ts';
import { CALL, isJobId, JOB_KIND } from '../record/job-kind.ts';
import { stepKey } from '../record/step-key.ts';
import type { RunRow } from '../record/tables.ts';

/** What this process has in hand, by family: a first run and all below it. */
export interface Families {
  /** How many there are: those of jobs, and all others. */
  readonly size: { readonly runs: number; readonly jobs: number };
  has(rootId: string): boolean;
  /** Any run of a family that is here. */
  runOf(rootId: string): string | undefined;
  add(instance: RunInstance): void;
  /** @returns whether nothing is left of its family here */
  remove(instance: RunInstance): boolean;
  /**
   * Parks what waits of a family, all or nothing: what one waits for while another works comes to this process.
   * @returns whether all of it that is here only waits
   */
  park(rootId: string): boolean;
  /** Whether all of a family that is here only waits. */
  rests(rootId: string): boolean;
}

export function createFamilies(): Families {
  const families = new Map<string, Set<RunInstance>>();
  const membersOf = (rootId: string) => families.get(rootId) ?? new Set<RunInstance>();

  function rests(rootId: string): boolean {
    const members = [...membersOf(rootId)];
    const stepsOfOthers = ({ run }: RunInstance) =>
      new Set(members.flatMap((member) => stepThatWaitsFor(member.run, run) ?? []));
    return members.every((member) => member.doing.isAtRest(stepsOfOthers(member)));
  }

  return {
    get size() {
      const jobs = [...families.keys()].filter(isJobId).length;
      return { runs: families.size - jobs, jobs };
    },
    has: (rootId) => families.has(rootId),
    runOf: (rootId) => families.get(rootId)?.values().next().value?.run.id,
    add(instance) {
      const { root_id: rootId } = instance.run;
      families.set(rootId, membersOf(rootId).add(instance));
    },
    remove(instance) {
      const { root_id: rootId } = instance.run;
      const members = membersOf(rootId);
      members.delete(instance);
      return members.size === 0 && families.delete(rootId);
    },
    rests,
    park(rootId) {
      if (!rests(rootId)) return false;
      for (const member of [...membersOf(rootId)]) member.park();
      return true;
    },
  };
}

/** The step of a run that waits for another of its family: its child, or what a job's call has begun beside it. */
function stepThatWaitsFor(other: RunRow, { id, kind }: RunRow): string | undefined {
  if (other.parent_id === id) return other.parent_step ?? undefined;
  const isBegun = kind === JOB_KIND && other.start_key?.includes(`"${stepKey(id, CALL)}"`);
  return isBegun ? CALL : undefined;
}
