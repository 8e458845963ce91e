import { explicitConfig, type Found, findConfig } from '../config/find.ts';
import { dataDir } from '../config/places.ts';
import { buildId } from '../version.ts';

/** Which server this process belongs to, known before anything heavy is loaded. */
export interface Location extends Found {
  readonly dataDir: string;
  /** What a process must have in common with another to share its server. */
  readonly identity: {
    readonly projectRoot: string;
    readonly configPath: string | undefined;
    readonly dataDir: string;
    readonly buildId: string;
  };
}

/** @param config `--config` */
export function locate(config: string | undefined): Location {
  const { env } = process;
  const explicit = explicitConfig(config, env);
  const found = findConfig({ explicit, cwd: process.cwd(), isAnyoneTrusted: env.NEXUS_TRUST === 'all' });
  const data = dataDir(found.projectRoot, env.NEXUS_DATA_DIR);
  const { projectRoot, configFile: configPath } = found;
  return {
    ...found,
    dataDir: data,
    identity: { projectRoot, configPath, dataDir: data, buildId: buildId() },
  };
}
