import { meetingPoint } from '@nexus/transports/ipc';
import { visibleLine } from '@nexus/untrusted/shown';
import { ask, askAt, olderServers } from '../client/ask.ts';
import { claimsOf } from '../project/claim.ts';
import { locate } from '../server/locate.ts';
import { confirm } from '../terminal/confirm.ts';
import { count } from '../terminal/count.ts';
import { fail, print, printJson } from '../terminal/output.ts';
import { readJudged } from '../trust/read-judged.ts';
import { type Leftover, leftovers } from '../uninstall/leftovers.ts';
import { type Command, configOption, jsonOption, text } from './command.ts';
import { untilEnded } from './stop.ts';

export const uninstall: Command = {
  usage: 'uninstall',
  summary: 'show what Nexus has left of this project, or of all, and take it away',
  options: [
    { flags: '--all', description: 'also the state of all projects, your settings and the audit key' },
    { flags: '--keep-branches', description: 'leave the branches nexus/… with the work on them' },
    { flags: '--dry-run', description: 'show what there is, and take nothing away' },
    { flags: '--yes', description: 'do not ask' },
    jsonOption,
    configOption,
  ],
  examples: ['uninstall --dry-run', 'uninstall', 'uninstall --keep-branches', 'uninstall --all --yes'],
  async run(_args, options) {
    const config = text(options, 'config');
    const location = locate(config);
    const older = await olderServers(config);
    const points = [await meetingPoint(location.identity), ...older.map(({ point }) => point)];
    const judged = await readJudged(config).catch(() => undefined);
    const trusted = [
      ...(judged?.parts ?? []).map(({ place }) => place),
      ...claimsOf(location.projectRoot).map(({ place }) => place),
    ];
    const ofAll = options.all === true;
    const found = await leftovers({ location, points, trusted: [...new Set(trusted)], ofAll });
    const left =
      options.keepBranches === true ? found.filter(({ what }) => !what.startsWith('a branch')) : found;
    const shown = left.map(({ what }) => visibleLine(what));
    if (options.json === true) printJson({ leftovers: shown, stays: whatStays() });
    else print([...describe(shown), '', ...whatStays()]);
    if (options.dryRun === true || left.length === 0) return 0;
    if (options.yes !== true && !process.stdin.isTTY)
      return fail('nothing is taken away; on a terminal it is asked, and --yes does not');
    if (options.yes !== true && (await confirm('Take all of it away? Nothing brings it back.')) !== true)
      return fail('nothing is taken away');
    // What runs would make it anew.
    const answers = [await ask('stop', config), ...(await Promise.all(points.slice(1).map(stopAt)))];
    const pids = answers.flatMap((answer) => (answer ? [Number(answer.pid)] : []));
    if (!(await untilEnded(pids))) return fail('nothing is taken away, since a server did not end');
    return takeAway(left);
  },
};

const stopAt = (point: Parameters<typeof askAt>[0]) => askAt(point, 'stop');

async function takeAway(left: readonly Leftover[]): Promise<number> {
  let failed = 0;
  for (const { what, remove } of left) {
    await remove().catch((error: unknown) => {
      failed += 1;
      fail(`${what} is still there: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
  print([`${count(left.length - failed, 'thing')} taken away.`]);
  return failed === 0 ? 0 : 1;
}

function describe(shown: readonly string[]): string[] {
  if (shown.length === 0) return ['Nothing is left of this project.'];
  return ['This is left:', ...shown.map((line) => `  ${line}`)];
}

function whatStays(): string[] {
  const database = process.env.NEXUS_DATABASE_URL
    ? ['The rows in the shared database stay: others may use them.']
    : [];
  return [
    'What you wrote stays: nexus.config.json or .yaml, .nexus/, and the entry "nexus" in the files of your hosts. Take that entry out, or they start Nexus again.',
    ...database,
  ];
}
