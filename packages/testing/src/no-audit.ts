import type { Audit } from '@nexus/plugin-sdk';

/** Takes every event and keeps none: its trail is empty, and nothing of that is changed. */
export const noAudit: Audit = {
  async record() {},
  async *calls() {},
  async verify() {
    return {
      ...{ unaltered: true, complete: true, fresh: undefined, behind: [], faults: [], open: [] },
      ...{ running: 0, interrupted: 0, missed: 0, writers: 0, events: 0, checkpoints: 0 },
      ...{ anchors: [], afterLastCheckpoint: 0 },
    };
  },
};
