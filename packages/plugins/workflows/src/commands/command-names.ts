import { ToolError } from '@nexus/plugin-sdk';
import type { WorkflowsOptions } from '../options.ts';

/** Which commands make a worktree ready, and which judge a change. @throws {ToolError} NEXUS_CONFIG for a name that no command has */
export function commandNames({
  commands,
  checks,
  setup,
}: Pick<WorkflowsOptions, 'commands' | 'checks' | 'setup'>) {
  const names = Object.keys(commands);
  const unknown = [...setup, ...(checks ?? [])].filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    const text = `The config names ${unknown.join(', ')} in workflows.setup or workflows.checks, which workflows.commands does not have. There are: ${names.join(', ') || 'none'}.`;
    throw new ToolError('NEXUS_CONFIG', text, { detail: { unknown } });
  }
  return { setup, checks: checks ?? names.filter((name) => !setup.includes(name)) };
}
