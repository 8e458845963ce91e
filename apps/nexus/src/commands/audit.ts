import { existsSync } from 'node:fs';
import { counted } from '@nexus/primitives';
import { visibleLine } from '@nexus/untrusted/shown';
import { auditWaits } from '../audit/audit-waits.ts';
import { knownTrail, knownTrailFile } from '../audit/known-trails.ts';
import { lazyAudit } from '../audit/lazy-audit.ts';
import { openAnchors } from '../audit/open-anchors.ts';
import { tailLines } from '../audit/tail-lines.ts';
import { auditKeyFile, trailFolder, trailParts, trailProject } from '../audit/trail-parts.ts';
import { verifiedLines } from '../audit/verified-lines.ts';
import { type LoadedConfig, loadConfig } from '../loaded-config/load-config.ts';
import { createLog } from '../log.ts';
import { logLevel } from '../log-level.ts';
import { confirm } from '../terminal/confirm.ts';
import { fail, print, printJson } from '../terminal/output.ts';
import { type Command, configOption, jsonOption, limit, limitOption, type Options, text } from './command.ts';

export const audit: Command = {
  usage: 'audit [action]',
  summary: 'check that the record of what was done is unaltered; show its end, sign it, or print all of it',
  options: [
    limitOption,
    { flags: '--before <date>', description: 'erase: only what is older than this, such as 2026-01-31' },
    { flags: '--yes', description: 'erase: without a question' },
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
    if (trailProject(trail) === undefined && !isKnownTrail(loaded, trail)) {
      return fail(
        `no audit trail in ${trail}: it begins with the first call that may change something, where audit.enabled is true`,
      );
    }
    return run({ loaded, trail, isJson, most: limit(options), options });
  },
};

/** Then the verification says that it is gone. */
function isKnownTrail(loaded: LoadedConfig, trail: string): boolean {
  return knownTrail(knownTrailFile(auditKeyFile(loaded), trail)) !== undefined;
}

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
  const audit = lazyAudit(loaded, createLog(logLevel(false)));
  const found = await audit.verify().finally(() => audit.close());
  const waits = auditWaits(loaded);
  const isWell = found.unaltered && found.complete && found.fresh !== false;
  if (isJson) printJson({ ...found, fresh: found.fresh ?? null });
  else print([...verifiedLines(found), ...(waits === undefined ? [] : [waits])]);
  return isWell ? 0 : 1;
}

async function tail({ trail, isJson, most }: Asked): Promise<number> {
  const { newestEvents } = await import('@nexus/audit');
  const events = newestEvents(trail, most);
  if (isJson) return printJson({ events });
  return print(events.length === 0 ? ['No events yet.'] : tailLines(events));
}

async function checkpoint({ loaded, isJson }: Asked): Promise<number> {
  const { openTrail } = await import('@nexus/audit');
  const { anchors, close } = await openAnchors(loaded);
  const trail = openTrail({ ...trailParts(loaded), anchors, log: createLog(logLevel(false)) });
  await trail.open();
  try {
    const taken = await trail.checkpoint();
    if (isJson) return printJson(taken);
    const { number, writers, anchored, failed } = taken;
    const waits = auditWaits(loaded);
    print([
      `Checkpoint ${number} signs the heads of ${counted(writers, 'writer')}.`,
      ...anchored.map((anchor) => `anchored in ${visibleLine(anchor)}`),
      ...(waits === undefined ? [] : [waits]),
      ...failed.map(({ anchor, reason }) => `NOT anchored in ${visibleLine(anchor)}: ${visibleLine(reason)}`),
    ]);
    return failed.length > 0 ? 1 : 0;
  } finally {
    await trail.close();
    await close();
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
  const { text: verifier, others = [] } = openKey(file, 'nexus');
  const otherKeys = others.map((each) => each.text);
  return isJson ? printJson({ key: verifier, file, otherKeys }) : print([verifier, ...otherKeys]);
}

/** What it takes away is no part of the chains, so they hold as before. */
async function erase({ loaded, trail, isJson, options }: Asked): Promise<number> {
  const given = text(options, 'before');
  const before = given === undefined ? undefined : new Date(given);
  if (before && Number.isNaN(before.getTime()))
    return fail(`--before must be a date such as 2026-01-31; found "${given}"`);
  if (before && before.getTime() > Date.now())
    return fail(`--before must not lie ahead: an erasure takes away only what is there; found "${given}"`);
  if (!loaded.config.audit.enabled)
    return fail('audit.enabled is off, and an erasure has to be put on record; turn it on first');
  const question = `Erase what tells the arguments of ${before ? `calls before ${before.toISOString()}` : 'all calls'}? Nothing brings it back.`;
  if (options.yes !== true && !process.stdin.isTTY)
    return fail('nothing was erased, since nobody can be asked here: run it on a terminal, or with --yes');
  if (options.yes !== true && (await confirm(question)) !== true) return fail('nothing was erased');
  const { eraseOpenings } = await import('@nexus/audit');
  const upTo = before ?? new Date();
  const own = lazyAudit(loaded, createLog(logLevel(false)));
  // First: what is gone without a word looks like tampering.
  await own.record({
    kind: 'contents.erased',
    data: { before: upTo.toISOString() },
  });
  await own.close();
  const erased = await eraseOpenings(trail, upTo);
  return isJson
    ? printJson({ erased })
    : print([`Erased what opens ${counted(erased, 'commitment')}; the chains are whole.`]);
}
