import { definePlugin } from '@nexus/plugin-sdk';
import { options } from './options.ts';
import { createState, type GitHubState } from './state.ts';
import { issueTriage } from './tools/issue-triage.ts';
import { repoAnalyze } from './tools/repo-analyze.ts';
import { repoSecurityPlan } from './tools/repo-security-plan.ts';

export default definePlugin({
  name: 'github',
  options,
  tools: [issueTriage, repoAnalyze, repoSecurityPlan],
  start: async (given, host): Promise<GitHubState> => createState(given, host),
  async stop() {},
});
