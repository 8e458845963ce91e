import { type Fetching, ToolError } from '@nexus/plugin-sdk';

async function refuse(): Promise<never> {
  throw new ToolError('NEXUS_UNAVAILABLE', 'There is no network.');
}

/** A machine without a network. */
export const cutOff: Fetching = { source: refuse, url: refuse, kept: async () => undefined, status: refuse };
