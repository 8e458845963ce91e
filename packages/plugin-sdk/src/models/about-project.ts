import type { Host } from '../host.ts';

/** A system prompt that begins with what the model should know of the project. */
export async function aboutProject(
  { project }: Pick<Host, 'project'>,
  system: string | undefined,
): Promise<string> {
  const brief = await project.brief();
  return [brief, system ?? ''].filter((part) => part !== '').join('\n\n');
}
