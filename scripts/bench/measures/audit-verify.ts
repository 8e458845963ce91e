import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKey, openTrail, verifyTrail } from '@nexus/audit';
import type { Measure } from '../figure.ts';
import { inRehearsal } from '../rehearsal.ts';

const WRITERS = inRehearsal(1, 4);
const EVENTS = inRehearsal(16, 1_000_000);
const silent = { debug() {}, info() {}, warn() {}, error() {} };

export const auditVerify: Measure = {
  name: 'audit-verify',
  method: `A trail of ${EVENTS.toLocaleString('en')} events of ${WRITERS} processes, calls with commitments to their arguments and their outcomes, under one checkpoint, is verified once.`,
  async run() {
    const root = mkdtempSync(join(tmpdir(), 'nexus-bench-audit-'));
    const [trail, keyFile] = [join(root, 'trail'), join(root, 'key.pem')];
    try {
      for (let writer = 0; writer < WRITERS; writer += 1) {
        const opened = openTrail({
          ...{ trail, keyFile, project: 'bench', begin: { writer }, contents: 'committed', keepDays: 1 },
          ...{ anchors: [], checkpointEveryMs: 3_600_000, log: silent },
        });
        await opened.open();
        for (let calls = 0; calls < EVENTS / WRITERS / 2; calls += 1) {
          const data = { tool: 'memory_write', session: 's', client: 'bench', isNested: false };
          const intent = opened.append({
            kind: 'call.intent',
            data,
            texts: await opened.commitTo({ arguments: { calls } }),
          });
          opened.append({ kind: 'call.outcome', data: { intent, ok: true } });
        }
        await opened.close();
      }
      const key = openKey(keyFile, 'nexus').text;
      const startedAt = performance.now();
      const { unaltered, complete, events } = await verifyTrail({
        trail,
        project: 'bench',
        key,
        anchors: [],
      });
      const tookMs = performance.now() - startedAt;
      if (!unaltered || !complete || events < EVENTS) throw new Error('the trail does not hold');
      return [
        {
          what: 'Verifying a million events of the audit trail',
          unit: 'ms',
          nexus: tookMs,
          target: { of: 'value', atMost: 10_000 },
        },
      ];
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
};
