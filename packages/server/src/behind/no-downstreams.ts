import type { Downstreams } from '@nexus/core';

/** No server is behind this one. */
export const noDownstreams: Downstreams = {
  leftOut: () => [],
  ready: () => undefined,
  resources: async () => [],
  resourceTemplates: async () => [],
  prompts: async () => [],
  readResource: async () => undefined,
  getPrompt: async () => undefined,
  complete: async () => undefined,
  subscribe: async () => false,
  async unsubscribe() {},
  async setLogLevel() {},
  rootsChanged() {},
  onNotification: () => () => {},
};
