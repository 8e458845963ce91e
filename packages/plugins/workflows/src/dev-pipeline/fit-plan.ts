import { cutEnd } from '@nexus/primitives';
import { MAX_FILES } from './named-files.ts';
import type { DevPlan } from './plan.ts';

const MAX_TASKS = 4;
/** As a plan takes of one task. */
const MAX_CHARS = 4_000;
const MAX_TITLE_CHARS = 100;

/**
 * A plan in as few conversations as it needs: a few short tasks on a few files are done in one, which is told of the
 * project, its tools and its files once.
 */
export function fitPlan(plan: DevPlan): DevPlan {
  const { tasks } = plan;
  const files = [...new Set(tasks.flatMap((task) => task.files))];
  const description = tasks.map((task) => `## ${task.title}\n\n${task.description}`).join('\n\n');
  const isSmall =
    tasks.every((task) => task.files.length > 0) &&
    tasks.length <= MAX_TASKS &&
    files.length <= MAX_FILES &&
    description.length <= MAX_CHARS;
  if (tasks.length === 1 || !isSmall) return plan;
  const title = cutEnd(tasks.map((task) => task.title).join('; '), MAX_TITLE_CHARS);
  return { ...plan, tasks: [{ title, description, files }] };
}
