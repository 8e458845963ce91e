import { serverEnvironment } from '@nexus/client/environment';
import type { ToolboxSource } from '@nexus/downstream';
import { findProgram, type Search } from '../config/find-program.ts';
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
  const isThere = programLookup();
  return toolboxSource.toolboxes.flatMap(({ name: toolbox }) => {
    const { mcpServers, faults } = toolboxSource.settings(toolbox, environment);
    const programs = Object.entries(mcpServers).flatMap(([server, { command, cwd = projectRoot, env }]) => {
      if (command === undefined) return [];
      const reason = `no program ${command} was found; install it, write its whole path, or set disabled: true`;
      return isThere(command, { cwd, env: serverEnvironment(env, environment) })
        ? []
        : [{ toolbox, server, reason }];
    });
    const left = faults.filter(({ reason }) => reason !== SERVER_WAITS);
    return [...left.map((fault) => ({ toolbox, ...fault })), ...programs];
  });
}

/** Whether a program is there: looked for once where many servers are started by it. */
function programLookup(): (command: string, search: Search) => boolean {
  const known = new Map<string, boolean>();
  return (command, search) => {
    const { PATH, Path, PATHEXT } = search.env;
    const key = JSON.stringify([command, search.cwd, PATH, Path, PATHEXT]);
    const isThere = known.get(key) ?? findProgram(command, search) !== undefined;
    known.set(key, isThere);
    return isThere;
  };
}
