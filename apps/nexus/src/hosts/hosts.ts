import { hostConfig, sharedHostConfig } from './host-config.ts';

/** One host, and what to paste where so that it starts Nexus. */
export interface HostSetup {
  readonly name: string;
  /** The file, or the place in the host, that takes the snippet. */
  readonly where: string;
  /** @param configFile the project's, for a host that starts servers outside of any project */
  snippet(binPath: string, configFile: string): string;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

export const hosts = [
  {
    name: 'Claude Code',
    where: 'run in the project',
    snippet: (bin) => `claude mcp add nexus -- node ${quote(bin)} --mode=server`,
  },
  {
    name: 'Claude Desktop',
    where: 'Settings > Developer > Edit Config (claude_desktop_config.json)',
    snippet: (bin, project) => json(hostConfig(bin, project)),
  },
  { name: 'Cursor', where: '~/.cursor/mcp.json', snippet: (bin) => json(hostConfig(bin)) },
  {
    name: 'VS Code',
    where: 'the user’s mcp.json (MCP: Open User Configuration)',
    snippet: (bin) => json({ servers: { nexus: { type: 'stdio', ...hostConfig(bin).mcpServers.nexus } } }),
  },
  {
    name: 'Codex',
    where: '~/.codex/config.toml',
    snippet: (bin) =>
      `[mcp_servers.nexus]\ncommand = "node"\nargs = [${JSON.stringify(bin)}, "--mode=server"]`,
  },
  {
    name: 'Claude Code, shared with the team',
    where: '.mcp.json in the project; everybody installs the command `nexus`',
    snippet: () => json(sharedHostConfig),
  },
] as const satisfies readonly HostSetup[];

function quote(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${path}"`;
}
