import type { RealHost } from '../real-host.ts';

export const codex = {
  name: 'Codex',
  packageName: '@openai/codex',
  program: 'codex',
  files: ({ modelUrl }) => ({
    '.codex/config.toml': [
      'model = "gpt-5.1-codex"',
      'model_provider = "scripted"',
      'check_for_update_on_startup = false',
      '',
      '[analytics]',
      'enabled = false',
      '',
      '[model_providers.scripted]',
      'name = "scripted"',
      `base_url = "${modelUrl}/v1"`,
      'env_key = "OPENAI_API_KEY"',
      'wire_api = "responses"',
      'request_max_retries = 0',
      '',
    ].join('\n'),
  }),
  env: () => ({ OPENAI_API_KEY: 'scripted' }),
  takes: { of: 'home', file: '.codex/config.toml' },
  allow: (snippet) => snippet.replace('# default_tools', 'default_tools'),
  args: (prompt) => ['exec', '--skip-git-repo-check', prompt],
  source: {
    name: 'codex',
    servers: (command) => ({ '.codex/config.toml': `[mcp_servers.trap]\ncommand = "${command}"\n` }),
  },
} as const satisfies RealHost;
