import { type RealHost, trusted } from '../real-host.ts';

export const qwenCode = {
  name: 'Qwen Code',
  packageName: '@qwen-code/qwen-code',
  program: 'qwen',
  files: () => ({
    '.qwen/settings.json': JSON.stringify({
      general: { disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: 'openai' } },
    }),
  }),
  env: ({ modelUrl }) => ({
    OPENAI_API_KEY: 'scripted',
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_MODEL: 'scripted',
  }),
  takes: { of: 'project', file: '.qwen/settings.json' },
  allow: trusted,
  args: (prompt) => ['--prompt', prompt],
  promptArgs: (prompt) => ['--prompt', `/${prompt} src`],
} as const satisfies RealHost;
