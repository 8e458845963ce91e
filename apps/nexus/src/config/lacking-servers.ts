import { serverEnvironment } from '@nexus/client/environment';
import type { ToolboxSource } from '@nexus/downstream';
import { findProgram } from '../doctor/find-program.ts';
import { SERVER_WAITS } from '../trust/describe-waiting.ts';

/** A server of a toolbox that will not start as things are. */
export interface LackingServer {
  readonly toolbox: string;
  readonly server: string;
  /** What it lacks and what to do. */
  readonly reason: string;
}

interface Place {
  readonly toolboxSource: ToolboxSource;
  readonly projectRoot: string;
}

/** Servers that lack a variable or a program in this process's environment; what waits for trust is told apart. */
export function lackingServers(
  { toolboxSource, projectRoot }: Place,
  environment: Readonly<Record<string, string | undefined>>,
): LackingServer[] {
  return toolboxSource.toolboxes.flatMap(({ name: toolbox }) => {
    const { mcpServers, faults } = toolboxSource.settings(toolbox, environment);
    const programs = Object.entries(mcpServers).flatMap(([server, { command, cwd = projectRoot, env }]) => {
      if (command === undefined) return [];
      const isThere = findProgram(command, { cwd, env: serverEnvironment(env, environment) }) !== undefined;
      const reason = `no program ${command} was found; install it, write its whole path, or set disabled: true`;
      return isThere ? [] : [{ toolbox, server, reason }];
    });
    const left = faults.filter(({ reason }) => reason !== SERVER_WAITS);
    return [...left.map((fault) => ({ toolbox, ...fault })), ...programs];
  });
}
