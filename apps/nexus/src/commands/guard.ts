import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { text as readAll } from 'node:stream/consumers';
import { git, ownTree } from '@nexus/git';
import { visibleLine } from '@nexus/untrusted/shown';
import { connectToNexus } from '../client/connect-to-nexus.ts';
import { explicitConfig } from '../config/find.ts';
import { goneProjects } from '../guard/gone-projects.ts';
import { findHook, hookLine, removeHook, stateOf, writeHook } from '../guard/hook.ts';
import { projectFolders } from '../guard/project-folders.ts';
import { refuses } from '../guard/reserved-files.ts';
import { locate } from '../server/locate.ts';
import { fail, print } from '../terminal/output.ts';
import { type Command, configOption, type Options, text } from './command.ts';

const TIMEOUT_MS = 60_000;
const ADVICE = '`nexus guard` is for commits of git: go to the project’s repository.';

export const guard: Command = {
  usage: 'guard <action>',
  summary: 'keep commits off files that another worker has reserved: install, remove or check',
  options: [
    { flags: '--worker <name>', description: 'check: who commits (default: NEXUS_WORKER)' },
    {
      flags: '--stdin',
      description: 'check: file names from stdin, each ended by NUL, instead of what is staged',
    },
    configOption,
  ],
  examples: ['guard install', 'guard check --worker reviewer', 'guard remove'],
  async run([action], options) {
    if (action === 'install') return install();
    if (action === 'remove') return remove();
    if (action === 'check') return check(options);
    return fail(`there is no \`guard ${String(action)}\`; there are install, remove and check`);
  },
};

/** What this process was started by: the hook starts the same. */
const program = () => [process.execPath, realpathSync(process.argv[1] ?? '')];

async function install(): Promise<number> {
  const { file, isForAll } = await place();
  const state = stateOf(file);
  if (state === 'ours') removeHook(file);
  if (state === 'another' || isForAll) {
    return fail(
      [
        isForAll
          ? `${file} is the hook of all your repositories, and nothing was written.`
          : `There is a hook already, and it stays as it is: ${file}`,
        'To have it guard reservations, add this line at its end:',
        `  ${hookLine(program())}`,
      ].join('\n'),
    );
  }
  writeHook(file, program());
  return print([
    `Installed: ${file}`,
    'A commit of files that another worker has reserved is refused from now on, and says who holds them.',
    'Agents say who they are by NEXUS_WORKER; `git commit --no-verify` goes past it.',
    ...(await linkedTrees()),
  ]);
}

/** Of a repository with linked worktrees, who is held to what. */
async function linkedTrees(): Promise<string[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const treeTop = await topOf(signal);
  const listed = await git({ treeTop }, ['worktree', 'list', '--porcelain', '-z'], { signal });
  const trees = listed.split('\0').flatMap((line) => /^worktree (.+)$/s.exec(line)?.[1] ?? []);
  const [main, linked] = trees;
  if (main === undefined || linked === undefined) return [];
  return [
    'Each linked worktree is a project of its own: what is reserved in it holds commits in it alone.',
    visibleLine(`What is reserved in ${main} holds commits in all of them, so let agents reserve there.`),
  ];
}

async function remove(): Promise<number> {
  const { file } = await place();
  const state = stateOf(file);
  if (state === 'another') return fail(`${file} was not made by \`nexus guard\`, and stays.`);
  if (state === 'ours') removeHook(file);
  return print([state === 'ours' ? `Removed: ${file}` : 'There is no guard to remove.']);
}

async function check(options: Options): Promise<number> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const treeTop = await topOf(signal);
  const listed = options.stdin
    ? await readAll(process.stdin)
    : await git({ treeTop }, ['diff', '--cached', '--name-only', '--no-renames', '-z'], { signal });
  const names = listed.split('\0').filter(Boolean);
  if (names.length === 0) return 0;
  const worker = text(options, 'worker') ?? (process.env.NEXUS_WORKER || undefined);
  const named = explicitConfig(text(options, 'config'), process.env);
  // Its name may be relative to the folder that is left below.
  const config = named === undefined ? undefined : resolve(named);
  const asked = new Set<string>();
  for (const each of projectFolders(treeTop, names)) {
    // What finds a project, and its server, starts at the working folder.
    process.chdir(each.folder);
    const { projectRoot } = locate(config).identity;
    if (asked.has(projectRoot)) continue;
    asked.add(projectRoot);
    await using client = await connectToNexus({ config, signal });
    const isElsewhere = projectRoot !== treeTop;
    const lines = await refuses(client, { names, treeTop: each.treeTop, projectRoot, worker, isElsewhere });
    if (lines.length > 0) return fail(lines.join('\n'));
  }
  // With a config that is named no folder has its own.
  for (const gone of config === undefined ? await goneProjects(treeTop, names, signal) : []) {
    await using client = await connectToNexus({ gone, signal });
    const projectRoot = dirname(gone.configFile);
    const where = { treeTop: gone.treeTop, projectRoot, isElsewhere: true };
    const lines = await refuses(client, { names, worker, ...where });
    if (lines.length > 0) return fail(lines.join('\n'));
  }
  return 0;
}

async function place() {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const treeTop = await topOf(signal);
  return findHook({ treeTop }, signal);
}

function topOf(signal: AbortSignal): Promise<string> {
  const folder = realpathSync(process.cwd());
  return ownTree(folder, { own: folder, signal, advice: ADVICE });
}
