import { existsSync } from 'node:fs';
import type { AuditVerification } from '@nexus/plugin-sdk';
import { visibleLine } from '@nexus/untrusted/shown';
import { lazyAudit } from '../audit/lazy-audit.ts';
import { anchorFiles, auditKeyFile, trailFolder, trailParts, trailProject } from '../audit/trail-parts.ts';
import { type LoadedConfig, loadConfig } from '../config/load-config.ts';
import { createLog } from '../log.ts';
import { logLevel } from '../log-level.ts';
import { confirm } from '../terminal/confirm.ts';
import { count } from '../terminal/count.ts';
import { type Command, configOption, jsonOption, limit, limitOption, type Options, text } from './command.ts';
import { fail, print, printJson } from './output.ts';

export const audit: Command = {
  usage: 'audit [action]',
  summary: 'verify the trail of what was done, show its end, sign its heads, or print it whole',
  options: [
    limitOption,
    { flags: '--before <date>', description: 'erase: of what is older, such as 2026-01-31' },
    { flags: '--yes', description: 'erase: do not ask' },
    jsonOption,
    configOption,
  ],
  examples: [
    'audit',
    'audit tail --limit 50',
    'audit checkpoint',
    'audit export > trail.jsonl',
    'audit erase --before 2026-01-31',
    'audit path',
    'audit key',
  ],
  async run([action = 'verify'], options) {
    const loaded = await loadConfig({ config: text(options, 'config') });
    const run = actions[String(action)];
    if (!run) return fail(`no action "${String(action)}"; use ${Object.keys(actions).join(', ')}`);
    const isJson = options.json === true;
    const trail = trailFolder(loaded.dataDir);
    if (action === 'path') return isJson ? printJson({ path: trail }) : print([trail]);
    if (trailProject(trail) === undefined) {
      return fail(
        `no audit trail in ${trail}: it begins with the first call that may change something, where audit.enabled is true`,
      );
    }
    return run({ loaded, trail, isJson, most: limit(options), options });
  },
};

interface Asked {
  readonly loaded: LoadedConfig;
  readonly trail: string;
  readonly isJson: boolean;
  readonly most: number;
  readonly options: Options;
}

const actions: Readonly<Record<string, (asked: Asked) => Promise<number> | number>> = {
  verify,
  tail,
  checkpoint,
  export: exportTrail,
  erase,
  path: ({ trail }) => print([trail]),
  key,
};

/** Exit code 1 where something does not fit, so that a script can tell. */
async function verify({ loaded, isJson }: Asked): Promise<number> {
  const found = await lazyAudit(loaded, createLog(logLevel(false))).verify();
  const isWell = found.unaltered && found.complete && found.fresh !== false;
  if (isJson) printJson({ ...found, fresh: found.fresh ?? null });
  else print(described(found));
  return isWell ? 0 : 1;
}

function described(found: AuditVerification): string[] {
  const { faults, open, anchoredUpTo } = found;
  const shown = faults.slice(0, 50);
  return [
    found.unaltered
      ? 'Unaltered: yes, chains and checkpoints agree.'
      : `Unaltered: NO, ${count(faults.length, 'fault')}.`,
    ...shown.map(({ kind, where, what }) => `  ${kind}: ${visibleLine(what)}\n    at ${visibleLine(where)}`),
    ...(shown.length < faults.length ? [`  and ${faults.length - shown.length} more; --json has all`] : []),
    completeLine(found),
    ...open
      .slice(0, 20)
      .map(({ tool, writer, seq }) => `  ${visibleLine(tool)}: event ${seq} of writer ${writer}`),
    anchoredLine(found.fresh, anchoredUpTo),
    `${count(found.events, 'event')} of ${count(found.writers, 'writer')}, ${count(found.checkpoints, 'checkpoint')}; ${count(found.afterLastCheckpoint, 'event')} after the newest.`,
  ];
}

function completeLine({ complete, open, running, interrupted }: AuditVerification): string {
  const others = [
    ...(running > 0 ? [`${count(running, 'call')} running now`] : []),
    ...(interrupted > 0 ? [`${count(interrupted, 'call')} interrupted with their process`] : []),
  ];
  const tail = others.length > 0 ? ` (${others.join(', ')})` : '';
  if (complete) return `Complete: yes, nothing is missing and each call has an outcome${tail}.`;
  if (open.length === 0) return `Complete: NO, events are missing${tail}.`;
  return `Complete: NO, ${count(open.length, 'call')} without an outcome${tail}. The next server puts on record what became of them.`;
}

function anchoredLine(isFresh: boolean | undefined, upTo: AuditVerification['anchoredUpTo']): string {
  if (isFresh === undefined)
    return 'Fresh: not known, since nothing is anchored; audit.anchors in the config says where.';
  const covered = upTo ? ` The newest checkpoint there is ${upTo.number}, of ${upTo.at}.` : '';
  return `${isFresh ? 'Fresh: yes, every anchor has what was brought to it.' : 'Fresh: NO, an anchor lacks what was brought to it.'}${covered}`;
}

async function tail({ trail, isJson, most }: Asked): Promise<number> {
  const { newestEvents } = await import('@nexus/audit');
  const events = newestEvents(trail, most);
  if (isJson) return printJson({ events });
  return print(
    events.map(({ at, kind, data }) => {
      const { arguments: _, ...rest } = data;
      return visibleLine(`${at}  ${kind}  ${JSON.stringify(rest)}`);
    }),
  );
}

async function checkpoint({ loaded, isJson }: Asked): Promise<number> {
  const { fileAnchor, openTrail } = await import('@nexus/audit');
  const trail = openTrail({
    ...trailParts(loaded),
    anchors: anchorFiles(loaded).map(fileAnchor),
    log: createLog(logLevel(false)),
  });
  await trail.open();
  try {
    const taken = await trail.checkpoint();
    if (isJson) return printJson(taken);
    const { number, writers, anchored, failed } = taken;
    print([
      `Checkpoint ${number} signs the heads of ${count(writers, 'writer')}.`,
      ...anchored.map((anchor) => `anchored in ${visibleLine(anchor)}`),
      ...failed.map(({ anchor, reason }) => `NOT anchored in ${visibleLine(anchor)}: ${visibleLine(reason)}`),
    ]);
    return failed.length > 0 ? 1 : 0;
  } finally {
    await trail.close();
  }
}

async function exportTrail({ trail }: Asked): Promise<number> {
  const { chainLines } = await import('@nexus/audit');
  for (const line of chainLines(trail)) {
    // Whoever reads slower than a disk is waited for.
    if (!process.stdout.write(`${line}\n`))
      await new Promise((resolve) => process.stdout.once('drain', resolve));
  }
  return 0;
}

async function key({ loaded, isJson }: Asked): Promise<number> {
  const file = auditKeyFile(loaded);
  if (!existsSync(file)) return fail(`no key in ${file} yet: the first checkpoint makes it`);
  const { openKey } = await import('@nexus/audit');
  const { text: verifier } = openKey(file, 'nexus');
  return isJson ? printJson({ key: verifier, file }) : print([verifier]);
}

/** What it takes away is no part of the chains, so they hold as before. */
async function erase({ loaded, trail, isJson, options }: Asked): Promise<number> {
  const given = text(options, 'before');
  const before = given === undefined ? undefined : new Date(given);
  if (before && Number.isNaN(before.getTime()))
    return fail(`--before must be a date such as 2026-01-31; found "${given}"`);
  const question = `Erase what tells the arguments of ${before ? `calls before ${before.toISOString()}` : 'all calls'}? Nothing brings it back.`;
  if (options.yes !== true && !process.stdin.isTTY)
    return fail('nothing is erased; on a terminal it is asked, and --yes does not');
  if (options.yes !== true && (await confirm(question)) !== true) return fail('nothing is erased');
  const { eraseOpenings } = await import('@nexus/audit');
  const erased = await eraseOpenings(trail, before);
  const own = lazyAudit(loaded, createLog(logLevel(false)));
  await own.record({ kind: 'contents.erased', data: { erased, before: before?.toISOString() ?? null } });
  await own.close();
  return isJson
    ? printJson({ erased })
    : print([`Erased what opens ${count(erased, 'commitment')}; the chains are whole.`]);
}
