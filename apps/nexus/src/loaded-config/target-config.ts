import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { explicitConfig, findConfig } from '../config/find.ts';
import { noProjectFault } from '../project/no-project.ts';
import { isAnyoneTrusted } from '../trust/trust.ts';

const FILE_NAME = 'nexus.config.json';

/** A config that a command writes to. */
export interface TargetConfig {
  readonly file: string;
  readonly projectRoot: string;
}

/**
 * The config that holds for the project, or where one is to be written.
 * @param option `--config`
 * @throws {Error} where the config that would hold is not read, since others may write it, and where there is neither a
 * config nor a project
 */
export function targetConfig(option: string | undefined): TargetConfig {
  const cwd = process.cwd();
  const isAnyone = isAnyoneTrusted(process.env);
  const explicit = explicitConfig(option, process.env);
  if (explicit && !existsSync(resolve(cwd, explicit))) {
    const { projectRoot } = findConfig({ explicit: undefined, cwd, isAnyoneTrusted: isAnyone });
    return { file: resolve(cwd, explicit), projectRoot };
  }
  const { configFile, projectRoot, refused } = findConfig({ explicit, cwd, isAnyoneTrusted: isAnyone });
  if (refused[0] !== undefined) throw new Error(refused[0]);
  const noProject = configFile === undefined ? noProjectFault(projectRoot) : undefined;
  if (noProject !== undefined) throw new Error(noProject);
  return { file: configFile ?? join(projectRoot, FILE_NAME), projectRoot };
}
