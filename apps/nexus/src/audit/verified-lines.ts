import type { AuditVerification } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';
import { visibleLine } from '@nexus/untrusted/shown';

/** What verifying a trail came to, for a person. */
export function verifiedLines(found: AuditVerification): string[] {
  const { faults, open } = found;
  const shown = faults.slice(0, 50);
  return [
    found.unaltered
      ? 'Unaltered: yes, chains and checkpoints agree.'
      : `Unaltered: NO, ${counted(faults.length, 'fault')}.`,
    ...shown.map(({ kind, where, what }) => `  ${kind}: ${visibleLine(what)}\n    at ${visibleLine(where)}`),
    ...(shown.length < faults.length ? [`  and ${faults.length - shown.length} more; --json has all`] : []),
    completeLine(found),
    ...open
      .slice(0, 20)
      .map(({ tool, writer, seq }) => `  ${visibleLine(tool)}: event ${seq} of writer ${writer}`),
    ...freshLines(found),
    ...keyLines(found),
    `${counted(found.events, 'event')} of ${counted(found.writers, 'writer')}, ${counted(found.checkpoints, 'checkpoint')}; ${counted(found.afterLastCheckpoint, 'event')} after the newest.`,
  ];
}

/** Nothing where one key signed all. */
function keyLines({ signedBy = [] }: AuditVerification): string[] {
  if (signedBy.length < 2) return [];
  const stretches = signedBy.map(({ key, from, to }) =>
    visibleLine(`  checkpoints ${from} to ${to}: ${key}`),
  );
  return ['Signed by several keys:', ...stretches];
}

function completeLine({ complete, open, running, interrupted, missed }: AuditVerification): string {
  const others = [
    ...(running > 0 ? [`${counted(running, 'call')} running now`] : []),
    ...(interrupted > 0 ? [`${counted(interrupted, 'call')} interrupted with their process`] : []),
  ];
  const tail = others.length > 0 ? ` (${others.join(', ')})` : '';
  if (complete) return `Complete: yes, nothing is missing and each call has an outcome${tail}.`;
  if (missed > 0)
    return `Complete: NO, ${counted(missed, 'event')} could not be written while calls went on${tail}.`;
  if (open.length === 0) return `Complete: NO, events are missing${tail}.`;
  return `Complete: NO, ${counted(open.length, 'call')} without an outcome${tail}.`;
}

function freshLines({ fresh, behind, anchors }: AuditVerification): string[] {
  if (fresh === undefined && behind.length > 0)
    return [
      'Fresh: not known yet: no checkpoint was taken that could be anchored; `nexus audit checkpoint` takes one.',
    ];
  if (fresh === undefined)
    return ['Fresh: not known, since nothing is anchored; audit.anchors in the config says where.'];
  const there = anchors.map(({ anchor, number, at }) =>
    visibleLine(`  ${anchor}: has checkpoints up to ${number}, of ${at}`),
  );
  if (fresh) return ['Fresh: yes, every anchor has what was brought to it.', ...there];
  return [
    `Fresh: NO, ${counted(behind.length, 'anchor')} without what was brought there.`,
    ...there,
    ...behind.map(({ anchor, why }) => visibleLine(`  ${anchor}: ${why}`)),
    '  `nexus audit checkpoint` signs anew and brings it to every anchor; what an anchor lost, only a copy of it brings back.',
  ];
}
