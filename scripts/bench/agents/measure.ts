import type { StdioServer } from '../servers.ts';
import type { Ground } from './ground.ts';
import { byNexus, byShell, type Took, together } from './ways.ts';
import type { Kind, Task } from './work.ts';

/** A task done both ways. */
export interface Done {
  readonly task: Task;
  readonly nexus: Took;
  readonly shell: Took;
  /** What was asked for and is in no answer of a way, so that the two are not the same. */
  readonly lacks: readonly string[];
}

/** A kind of work, all of its tasks together. */
export interface Side {
  readonly kind: Kind;
  readonly tasks: readonly Done[];
  readonly nexus: Took;
  readonly shell: Took;
}

export async function measure(
  kind: Kind,
  { ground, nexus }: { ground: Ground; nexus: StdioServer },
): Promise<Side> {
  const tasks: Done[] = [];
  for (const task of kind.tasks(ground)) {
    const ways = {
      nexus: await byNexus(task.nexus, nexus),
      shell: await byShell(task.shell, ground),
    };
    tasks.push({
      task,
      ...ways,
      lacks: (['nexus', 'shell'] as const).flatMap((way) => lacking(task, way, ways[way])),
    });
  }
  return {
    ...{ kind, tasks },
    nexus: together(tasks.map((done) => done.nexus)),
    shell: together(tasks.map((done) => done.shell)),
  };
}

/** What a way's answers do not hold of what was asked for. */
function lacking({ holds }: Task, way: string, { answers }: Took): string[] {
  const said = answers.join('\n');
  return holds.filter((part) => !said.includes(part)).map((part) => `${part} (${way})`);
}
