import { definePlugin } from '@nexus/plugin-sdk';
import { z } from 'zod';
import type { ParsedConfig } from '../config/parse.ts';
import { codeReview } from './prompts/code-review.ts';
import { orchestrateTask } from './prompts/orchestrate-task.ts';
import { researchSurvey } from './prompts/research-survey.ts';
import { securityReview } from './prompts/security-review.ts';
import { architecture } from './resources/architecture.ts';
import { config } from './resources/config.ts';
import { models } from './resources/models.ts';
import { projectContext } from './resources/project-context.ts';
import { routingStats } from './resources/routing-stats.ts';
import { run } from './resources/run.ts';
import { runAfter } from './resources/run-after.ts';
import { runStep } from './resources/run-step.ts';

/** What the resources speak of: the config as it holds, and the project. */
export interface Self extends Pick<ParsedConfig, 'config' | 'written'> {
  /** The sections of all plugins, defaults filled in. */
  pluginOptions(): Promise<Readonly<Record<string, unknown>>>;
  readonly configFile: string | undefined;
  readonly projectRoot: string;
  readonly dataDir: string;
}

/**
 * Nexus speaking of itself and its project: resources and prompts, no tools.
 * @param self undefined where the plugin is only listed
 */
export function selfPlugin(self: Self | undefined) {
  return definePlugin({
    name: 'nexus',
    options: z.object({}),
    tools: [],
    resources: [projectContext, architecture, config, models, routingStats],
    resourceTemplates: [run, runAfter, runStep],
    prompts: [orchestrateTask, securityReview, codeReview, researchSurvey],
    async start() {
      if (!self) throw new Error('this plugin is only listed');
      return self;
    },
    async stop() {},
  });
}
