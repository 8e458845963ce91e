import { afterAll } from 'vitest';
import { makeProject, type Project, type ProjectInput } from './project.ts';
import type { OpenWay, WayIn } from './ways-in.ts';

interface SharedServer {
  readonly project: Project;
  readonly server: OpenWay;
}

/**
 * One server and one session by each way in, for those tests of a file that leave nothing behind and ask nothing
 * of what came before: to start one takes longer than most of them. Ended after the file's tests.
 */
export function sharedServer(input: ProjectInput = {}): (way: WayIn) => Promise<SharedServer> {
  const opened = new Map<WayIn, Promise<SharedServer>>();
  afterAll(async () => {
    for (const { project, server } of await Promise.all(opened.values())) {
      await server[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    }
  });
  async function open(way: WayIn): Promise<SharedServer> {
    const project = await makeProject(input);
    return { project, server: await way.open(project) };
  }
  return (way) => {
    const known = opened.get(way) ?? open(way);
    opened.set(way, known);
    return known;
  };
}
