/** What Claude Desktop, Claude Code, Cursor and most other hosts take, as JSON. */
export function hostConfig(binPath: string) {
  return { mcpServers: { nexus: { command: 'node', args: [binPath, '--mode=server'] } } };
}
