/** How a host starts Nexus. */
export interface HostCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** By whole paths, so that it works from a clone, and where a host knows no `PATH`. */
export function commandOnThisMachine(node: string, binPath: string): HostCommand {
  return { command: node, args: [binPath, '--mode=server'] };
}

/** For a file that a team commits: no path of one machine, but the installed command. */
export const sharedCommand: HostCommand = { command: 'nexus', args: ['--mode=server'] };

/** A host's entry for Nexus, as most take it. */
export function hostEntry(start: HostCommand, configFile?: string): HostCommand {
  const config = configFile === undefined ? [] : ['--config', configFile];
  return { command: start.command, args: [...start.args, ...config] };
}

/** What Claude Desktop, Claude Code, Cursor and most other hosts take, as JSON. */
export function hostConfig(start: HostCommand, configFile?: string) {
  return { mcpServers: { nexus: hostEntry(start, configFile) } };
}
