import { CALL } from '../../../src/record/job-kind.ts';
import { stepKey } from '../../../src/record/step-key.ts';
import type { Tables } from '../database/tables.ts';

/** How long a family may do nothing but wait before what waits of it is parked: 30 s, by a clock that may run slow. */
export const AT_REST_MS = 50_000;

interface Member {
  readonly id: string;
  readonly parent_id: string | null;
  readonly parent_step: string | null;
  readonly start_key: string | null;
}

interface OpenStep {
  readonly run_id: string;
  readonly name: string;
  readonly status: string;
}

/**
 * Runs of a family in the hands of one process that could be parked: nothing of it there does more than to wait.
 * @returns them, and nothing where some of it works, or something was put on record of it since `calmSince`
 */
export function parkable(
  tables: Tables,
  { rootId, owner, calmSince }: { rootId: string; owner: string; calmSince: number },
): readonly string[] {
  const [last] = tables.look<{ at: number | null }>(
    'select max(at) as at from runs_events where run_id in (select id from runs_runs where root_id = ?)',
    rootId,
  );
  if (last?.at === null || last === undefined || last.at > calmSince) return [];
  const members = tables.look<Member>(
    "select id, parent_id, parent_step, start_key from runs_runs where root_id = ? and owner = ? and status = 'running'",
    rootId,
    owner,
  );
  const steps = tables.look<OpenStep>(
    'select run_id, name, status from runs_steps where end_seq is null and run_id in (select id from runs_runs where root_id = ? and owner = ?)',
    rootId,
    owner,
  );
  const ofRun = (id: string) => steps.filter(({ run_id }) => run_id === id);
  const waitsForMember = ({ run_id, name }: OpenStep) =>
    members.some(
      ({ parent_id, parent_step, start_key }) =>
        (parent_id === run_id && parent_step === name) ||
        (name === CALL && start_key?.includes(`"${stepKey(run_id, CALL)}"`)),
    );
  const isAtRest = ({ id }: Member) =>
    ofRun(id).length > 0 && ofRun(id).every((step) => step.status === 'waiting' || waitsForMember(step));
  if (!members.every(isAtRest)) return [];
  return members
    .filter(({ id }) => ofRun(id).every(({ status }) => status === 'waiting'))
    .map(({ id }) => id);
}
