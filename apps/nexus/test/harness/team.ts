import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type SharedProject, shareProject } from './shared-project.ts';

export interface MemberInput {
  /** The address of `origin`; without one the folder is no repository. */
  readonly remote?: string;
  readonly databaseUrl: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** A checkout as one member of a team has it, as if on a machine of its own, on a database that all share. */
export async function checkOut({ remote, databaseUrl, config, env }: MemberInput): Promise<SharedProject> {
  const project = await shareProject({
    slowPlugin: true,
    ...(config ? { config } : {}),
    env: { NEXUS_DATABASE_URL: databaseUrl, ...env },
  });
  if (remote !== undefined) {
    const file = project.path('.git', 'config');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `[remote "origin"]\n\turl = ${remote}\n`);
  }
  return project;
}
