import { type Audit, ToolError } from '@nexus/plugin-sdk';

/** Takes every event and keeps none. */
export const noAudit: Audit = {
  async record() {},
  async verify() {
    throw new ToolError('NEXUS_NOT_FOUND', 'There is no audit trail in a test of a plugin.');
  },
};
