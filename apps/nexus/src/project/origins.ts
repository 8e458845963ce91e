import type { Project } from './project-id.ts';

/** Where a project's id is from, in words. */
export const origins = {
  environment: 'from NEXUS_PROJECT_ID',
  config: 'from project.id of the config',
  remote: 'from the repository’s remote',
  made: 'made for it, and kept in its .git or its data directory',
} as const satisfies Record<Project['from'], string>;
