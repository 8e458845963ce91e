import type { AuditVerification } from '@nexus/plugin-sdk';
import { expect, it } from 'vitest';
import { verifiedLines } from './verified-lines.ts';

const well: AuditVerification = {
  ...{ unaltered: true, complete: true, fresh: true, behind: [], faults: [], open: [] },
  ...{ running: 0, interrupted: 0, missed: 0, writers: 1, events: 2, checkpoints: 1, afterLastCheckpoint: 0 },
  anchors: [{ anchor: '/far/anchor.jsonl', number: 1, at: '2026-01-31T10:00:00.000Z' }],
};
const freshOf = (found: Partial<AuditVerification>) =>
  verifiedLines({ ...well, ...found }).filter((line, at) => at > 1 && !/events? of/.test(line));

it('names each anchor that lacks something, and why', () => {
  const behind = [{ anchor: '/other/anchor.jsonl', why: 'it has no checkpoint of this trail' }];
  expect(freshOf({ fresh: false, behind })).toEqual([
    'Fresh: NO, 1 anchor without what was brought there.',
    '  /far/anchor.jsonl: has checkpoints up to 1, of 2026-01-31T10:00:00.000Z',
    '  /other/anchor.jsonl: it has no checkpoint of this trail',
    expect.stringContaining('nexus audit checkpoint'),
  ]);
  expect(freshOf({})).toEqual([
    'Fresh: yes, every anchor has what was brought to it.',
    '  /far/anchor.jsonl: has checkpoints up to 1, of 2026-01-31T10:00:00.000Z',
  ]);
  expect(freshOf({ fresh: undefined, anchors: [] })).toHaveLength(1);
});

it('says which key signed which checkpoints, where there was more than one', () => {
  const one = { key: 'nexus+0011aabb', from: 1, to: 3 };
  const other = { key: 'nexus+ccdd2233', from: 4, to: 4 };
  expect(verifiedLines({ ...well, signedBy: [one] }).join()).not.toContain('nexus+');
  expect(verifiedLines({ ...well, signedBy: [one, other] })).toEqual(
    expect.arrayContaining([
      'Signed by several keys:',
      '  checkpoints 1 to 3: nexus+0011aabb',
      '  checkpoints 4 to 4: nexus+ccdd2233',
    ]),
  );
});
