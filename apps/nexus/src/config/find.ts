import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isOwn, ownershipFault } from './ownership.ts';
import { userConfigDir } from './places.ts';

/** Of one folder, the first that is there counts. The last is what another server of toolboxes reads. */
export const FILE_NAMES = [
  'nexus.config.json',
  'nexus.config.yaml',
  'nexus.config.yml',
  'workbench-config.json',
];

/** Which config file counts, and which project it is for. */
export interface Found {
  /** Absolute path; undefined where no file is found and the defaults hold. */
  readonly configFile: string | undefined;
  /** Absolute path, symlinks resolved. */
  readonly projectRoot: string;
  /** Whether the user chose the file: named it, or keeps it in their own config directory. */
  readonly isOwnChoice: boolean;
  /** Beside a file that the user did not choose, their own, whose prohibitions hold all the same; absolute. */
  readonly ownFile?: string | undefined;
  /** Files that were found and not read, each with the reason, a sentence. */
  readonly refused: readonly string[];
  /** Files that would be read if it were not for others or for where they are, each with the reason, a sentence. */
  readonly hidden: readonly string[];
}

export interface Where {
  /** As `explicitConfig` has it; relative to `cwd`. */
  readonly explicit: string | undefined;
  readonly cwd: string;
  /** Whether a file counts whoever may have written it (`NEXUS_TRUST=all`). */
  readonly isAnyoneTrusted?: boolean;
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
 * Looks for the config upward from `cwd` to the repository's top, then in the user's config directory. Where
 * there is no repository nothing tells where the project ends and folders of other users begin, so only
 * `cwd` itself is looked at. The project is where a found file lies, else the repository's top, else `cwd`.
 * For an explicit file it is the repository around `cwd`, else where the file lies: Claude Desktop starts
 * servers outside any project.
 * @throws {Error} when an explicitly named file is not there
 */
export function findConfig({ explicit, cwd, isAnyoneTrusted = false }: Where): Found {
  const start = realpathSync(cwd);
  const above = ancestors(start);
  const top = above.findIndex((folder) => isRepository(folder, isAnyoneTrusted));
  const repository = above[top];
  if (explicit) {
    const configFile = resolve(cwd, explicit);
    if (!existsSync(configFile) || statSync(configFile).isDirectory()) {
      throw new Error(
        `no config file at ${configFile} (from --config, NEXUS_CONFIG or WORKBENCH_CONFIG); \`nexus init\` writes one`,
      );
    }
    const projectRoot = repository ?? dirname(realpathSync(configFile));
    return { configFile, projectRoot, isOwnChoice: true, refused: [], hidden: [] };
  }
  const refused: string[] = [];
  const firstFile = (folders: readonly string[]) =>
    filesIn(folders).find((file) => {
      const fault = isAnyoneTrusted ? undefined : ownershipFault(file);
      if (fault !== undefined) refused.push(`${file} is not read, since ${fault}. ${FIX}`);
      return fault === undefined;
    });
  const own = firstFile(above.slice(0, Math.max(top, 0) + 1));
  if (own) {
    const projectRoot = dirname(own);
    const ownFile = firstFile([userConfigDir()]);
    return { configFile: own, projectRoot, isOwnChoice: false, ownFile, refused, hidden: hiddenBeside(own) };
  }
  const configFile = firstFile([userConfigDir()]);
  const hidden = repository === undefined ? hiddenAbove(above.slice(1)) : [];
  return { configFile, projectRoot: repository ?? start, isOwnChoice: true, refused, hidden };
}

const FIX =
  'If its content is yours, make it so that only you may write it (`chown`, `chmod go-w`), or name it by --config.';

function filesIn(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => FILE_NAMES.map((name) => join(folder, name)))
    .filter((file) => existsSync(file));
}

function hiddenBeside(own: string): string[] {
  const all = filesIn([dirname(own)]);
  const after = all.slice(all.indexOf(own) + 1);
  return after.map((file) => `${file} is not read, since ${own} lies beside it; keep one of them.`);
}

/** Without a repository nobody can tell what belongs to it; the nearest of the user's own is named all the same. */
function hiddenAbove(folders: readonly string[]): string[] {
  const [file] = filesIn(folders).filter((each) => ownershipFault(each) === undefined);
  if (file === undefined) return [];
  return [
    `${file} is not read, since no repository tells that this folder belongs to it; start in its folder, name it by --config, or \`git init\` there.`,
  ];
}

/** As git has it, one of somebody else is none: whoever may write above could put it there. */
function isRepository(folder: string, isAnyoneTrusted: boolean): boolean {
  const git = join(folder, '.git');
  return existsSync(git) && (isAnyoneTrusted || (isOwn(git) && isOwn(folder)));
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}
