import type { RealHost } from '../real-host.ts';

export const cline = {
  name: 'Cline',
  packageName: 'cline',
  program: 'cline',
  files: () => ({}),
  env: () => ({ CLINE_TELEMETRY_DISABLED: '1', CLINE_NO_AUTO_UPDATE: '1' }),
  setUp: ({ modelUrl }) => [
    ['auth', 'openai', '--apikey', 'scripted', '--modelid', 'scripted', '--baseurl', `${modelUrl}/v1`],
  ],
  takes: { of: 'home', file: '.cline/data/settings/cline_mcp_settings.json' },
  args: (prompt) => ['--auto-approve', 'true', prompt],
} as const satisfies RealHost;
