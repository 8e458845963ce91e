import { counted } from '@nexus/primitives';
import { auditWaits } from '../audit/audit-waits.ts';
import { lazyAudit } from '../audit/lazy-audit.ts';
import { trailFolder, trailProject } from '../audit/trail-parts.ts';
import { verifiedLines } from '../audit/verified-lines.ts';
import { loadConfig } from '../loaded-config/load-config.ts';
import { createLog } from '../log.ts';
import type { Check } from './check.ts';

/** Whether what was done is on record, and nobody has changed that record. */
export const auditTrail: Check = {
  name: 'Audit trail',
  async run(source) {
    const loaded = await loadConfig(source);
    const waits = auditWaits(loaded);
    const also = waits === undefined ? [] : [waits];
    if (!loaded.config.audit.enabled) return { status: 'ok', saw: 'off by audit.enabled in the config' };
    const trail = trailFolder(loaded.dataDir);
    if (trailProject(trail) === undefined) {
      const saw = ['nothing on it yet: it begins with the first call that may change something', ...also];
      return { status: waits === undefined ? 'ok' : 'warning', saw: saw.join('\n      ') };
    }
    const audit = lazyAudit(loaded, createLog('silent'));
    const found = await audit.verify().finally(() => audit.close());
    const { unaltered, complete, fresh, events, writers } = found;
    if (unaltered && complete && fresh !== false) {
      const anchored = fresh ? ', anchors up to date' : '';
      const saw = `${counted(events, 'event')} of ${counted(writers, 'writer')}, unaltered and complete${anchored}`;
      return { status: waits === undefined ? 'ok' : 'warning', saw: [saw, ...also].join('\n      ') };
    }
    return {
      // The next server puts on record what became of a call that has no outcome.
      status: unaltered ? 'warning' : 'failed',
      saw: [...verifiedLines(found), ...also].join('\n      '),
      fix: unaltered
        ? 'start a server, such as by `nexus tools`, and look again; an anchor that can’t be reached is named above'
        : 'find out who changed it, docs/audit.md says what each fault means; keep a copy, and begin a new one by moving the folder that `nexus audit path` names',
    };
  },
};
