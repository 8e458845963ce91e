import { explicitConfig, findConfig } from '../config/find.ts';
import { readConfigFile } from '../config/load.ts';
import { isAnyoneTrusted, judge, type Trust } from './trust.ts';

/** A project's config as far as its user trusts it; nothing of it is imported, expanded or checked. */
export interface Judged extends Trust {
  readonly configFile: string | undefined;
  readonly projectRoot: string;
  readonly refused: readonly string[];
}

/** @param config `--config` */
export async function readJudged(config: string | undefined, env = process.env): Promise<Judged> {
  const explicit = explicitConfig(config, env);
  const found = findConfig({ explicit, cwd: process.cwd(), isAnyoneTrusted: isAnyoneTrusted(env) });
  const { configFile, projectRoot, refused } = found;
  const raw = configFile ? await readConfigFile(configFile) : {};
  return { configFile, projectRoot, refused, ...(await judge(raw, found, env)) };
}
