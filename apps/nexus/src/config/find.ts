import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { userConfigDir } from './places.ts';

const FILE_NAMES = ['nexus.config.json', 'nexus.config.yaml', 'nexus.config.yml'];

/** Which config file counts, and which project it is for. */
export interface Found {
  /** Absolute path; undefined where no file is found and the defaults hold. */
  readonly configFile: string | undefined;
  /** Absolute path, symlinks resolved. */
  readonly projectRoot: string;
}

export interface Where {
  /** As `explicitConfig` has it; relative to `cwd`. */
  readonly explicit: string | undefined;
  readonly cwd: string;
}

/**
 * The file that the user names: `--config`, else `NEXUS_CONFIG`, else `WORKBENCH_CONFIG`, which other
 * servers of toolboxes read.
 */
export function explicitConfig(
  option: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return option || env.NEXUS_CONFIG || env.WORKBENCH_CONFIG || undefined;
}

/**
 * Looks for the config upward from `cwd`, then in the user's config directory. The project is where a
 * found file lies, else the nearest folder upward with a `.git`, else `cwd`. For an explicit file it is the
 * repository around `cwd`, else where the file lies: Claude Desktop starts servers outside any project.
 * @throws {Error} when an explicitly named file is not there
 */
export function findConfig({ explicit, cwd }: Where): Found {
  const above = ancestors(realpathSync(cwd));
  const repository = above.find((folder) => existsSync(join(folder, '.git')));
  const fallbackRoot = repository ?? realpathSync(cwd);
  if (explicit) {
    const configFile = resolve(cwd, explicit);
    if (!existsSync(configFile) || statSync(configFile).isDirectory()) {
      throw new Error(
        `no config file at ${configFile} (from --config, NEXUS_CONFIG or WORKBENCH_CONFIG); \`nexus init\` writes one`,
      );
    }
    return { configFile, projectRoot: repository ?? dirname(realpathSync(configFile)) };
  }
  const own = firstFile(above);
  if (own) return { configFile: own, projectRoot: dirname(own) };
  return { configFile: firstFile([userConfigDir()]), projectRoot: fallbackRoot };
}

function firstFile(folders: readonly string[]): string | undefined {
  return folders
    .flatMap((folder) => FILE_NAMES.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}
