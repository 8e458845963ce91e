/** What Claude Desktop, Claude Code, Cursor and most other hosts take, as JSON. */
export function hostConfig(binPath: string, configFile?: string) {
  const config = configFile === undefined ? [] : ['--config', configFile];
  return { mcpServers: { nexus: { command: 'node', args: [binPath, '--mode=server', ...config] } } };
}

/** The same for a file that a team commits: no path of one machine, but the installed command. */
export const sharedHostConfig = {
  mcpServers: { nexus: { command: 'nexus', args: ['--mode=server'] } },
} as const;
