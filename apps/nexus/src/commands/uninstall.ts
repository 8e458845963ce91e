import { counted } from '@nexus/primitives';
import { meetingPoint } from '@nexus/transports/ipc';
import { visibleLine } from '@nexus/untrusted/shown';
import { knownTrailFile } from '../audit/known-trails.ts';
import { auditKeyFile, trailFolder, usualKeyFile } from '../audit/trail-parts.ts';
import { olderServers } from '../client/ask.ts';
import { loadConfig } from '../loaded-config/load-config.ts';
import { claimsOf } from '../project/claim.ts';
import { locate } from '../server/locate.ts';
import { projectFolders } from '../state/state-users.ts';
import { confirm } from '../terminal/confirm.ts';
import { fail, print, printJson } from '../terminal/output.ts';
import { readJudged } from '../trust/read-judged.ts';
import type { Leftover } from '../uninstall/leftover.ts';
import { allDataDirs, leftovers } from '../uninstall/leftovers.ts';
import { endRunning, ofAnotherHome, runningLines, runningOn } from '../uninstall/running.ts';
import { type Command, configOption, jsonOption, text } from './command.ts';

export const uninstall: Command = {
  usage: 'uninstall',
  summary: 'show what Nexus has left in this project, or in all, and take it away',
  options: [
    {
      flags: '--all',
      description: 'also take the state of all projects of this home, your settings and the audit key',
    },
    {
      flags: '--keep-branches',
      description: 'also keep the branches nexus/… whose work is on another one too',
    },
    { flags: '--dry-run', description: 'show what there is, and take nothing away' },
    { flags: '--yes', description: 'without a question' },
    jsonOption,
    configOption,
  ],
  examples: ['uninstall --dry-run', 'uninstall', 'uninstall --keep-branches', 'uninstall --all --yes'],
  async run(_args, options) {
    const config = text(options, 'config');
    const location = locate(config);
    const older = await olderServers(config);
    const point = await meetingPoint(location.identity);
    const points = [point, ...older.map((each) => each.point)];
    const judged = await readJudged(config).catch(() => undefined);
    const trusted = [
      ...(judged?.parts ?? []).map(({ place }) => place),
      ...claimsOf(location.projectRoot).map(({ place }) => place),
    ];
    const ofAll = options.all === true;
    const knownTrail = await knownTrailOf(location.dataDir, config);
    const dataDirs = [...new Set([point.identity.dataDir, ...(ofAll ? allDataDirs() : [])])];
    const on = { point, dataDirs, ofAll };
    const { found, others, kept } = await leftovers({
      ...{ location, points, trusted: [...new Set(trusted)], knownTrail, ofAll },
      ofAnotherHome: await ofAnotherHome(point),
    });
    const keptBranches = options.keepBranches === true ? found.flatMap(({ branch }) => branch ?? []) : [];
    const left = options.keepBranches === true ? found.filter(({ branch }) => branch === undefined) : found;
    const shown = left.map(({ what }) => visibleLine(what));
    const find = () => runningOn(on);
    const running = runningLines(await find()).map(visibleLine);
    const beside = [...others, ...keptBranches.map((each) => `${each}, as --keep-branches says`)];
    const stays = [...whatStays(ofAll), ...beside.map((each) => visibleLine(`Left: ${each}.`))];
    if (options.json === true) printJson({ leftovers: shown, running, stays });
    else print([...describe(shown, running, beside.length > 0), '', ...stays]);
    if (options.dryRun === true || left.length + running.length === 0) return 0;
    if (options.yes !== true && !process.stdin.isTTY)
      return fail(
        'nothing was taken away, since nobody can be asked here: run it on a terminal, or with --yes',
      );
    if (options.yes !== true && (await confirm('Take all of it away? Nothing brings it back.')) !== true)
      return fail('nothing was taken away');
    // What runs would write it anew, or go on with what is gone.
    const still = await endRunning(find, (pid) => print([`Process ${pid} has ended.`]));
    if (still.length > 0) {
      const named = runningLines(still).map(visibleLine).join('; ');
      return fail(`nothing was taken away, since this did not end: ${named}. End it, and say it again.`);
    }
    for (const worktree of kept) await worktree.keep();
    return takeAway(left);
  },
};

/** A config that can't be read names no other key. */
async function knownTrailOf(dataDir: string, config: string | undefined): Promise<string> {
  const keyFile = await loadConfig({ config }).then(auditKeyFile, usualKeyFile);
  return knownTrailFile(keyFile, trailFolder(dataDir));
}

async function takeAway(left: readonly Leftover[]): Promise<number> {
  let failed = 0;
  for (const { what, remove } of left) {
    await remove().catch((error: unknown) => {
      failed += 1;
      fail(`${what} is still there: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
  print([`${counted(left.length - failed, 'thing')} taken away.`]);
  return failed === 0 ? 0 : 1;
}

function describe(shown: readonly string[], running: readonly string[], hasOthers: boolean): string[] {
  if (shown.length + running.length === 0) {
    return [
      hasOthers
        ? 'Nothing is there to be taken away. What is left all the same stands below.'
        : 'Nothing is left of this project.',
    ];
  }
  return [
    ...(running.length > 0
      ? ['This runs, and is ended first:', ...running.map((line) => `  ${line}`), '']
      : []),
    'This is left:',
    ...shown.map((line) => `  ${line}`),
  ];
}

function whatStays(ofAll: boolean): string[] {
  const database = process.env.NEXUS_DATABASE_URL
    ? ['The rows in the shared database stay: others may use them.']
    : [];
  const unknown = ofAll ? allDataDirs().filter((dataDir) => projectFolders(dataDir).length === 0) : [];
  return [
    'What you wrote stays: nexus.config.json or .yaml, .nexus/, and the entry "nexus" in the files of your hosts. Take that entry out, or they start Nexus again.',
    ...unknown.map((dataDir) =>
      visibleLine(
        `The folder of the project whose state is ${dataDir} is not known; if it is a repository, its .git/nexus-project-id stays.`,
      ),
    ),
    ...database,
  ];
}
