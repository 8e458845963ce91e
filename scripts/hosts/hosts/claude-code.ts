import type { RealHost } from '../real-host.ts';

export const claudeCode = {
  name: 'Claude Code',
  packageName: '@anthropic-ai/claude-code',
  program: 'claude',
  files: () => ({}),
  env: ({ modelUrl }) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'scripted',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    // Without a person who types meanwhile, the first request would go before the servers are connected.
    MCP_CONNECTION_NONBLOCKING: 'false',
  }),
  takes: 'command',
  args: (prompt) => ['--print', '--allowedTools', 'mcp__nexus', '--', prompt],
  promptArgs: (prompt) => ['--print', '--', `/mcp__nexus__${prompt} src`],
  // On by itself only where the model is at its maker's own address.
  searchEnv: { ENABLE_TOOL_SEARCH: 'true' },
  source: {
    name: 'claude',
    servers: (command) => ({
      '.claude.json': JSON.stringify({ mcpServers: { trap: { command, args: [] } } }),
    }),
  },
} as const satisfies RealHost;
