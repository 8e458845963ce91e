import { type RealHost, trusted } from '../real-host.ts';

export const gemini = {
  name: 'Gemini CLI',
  packageName: '@google/gemini-cli',
  program: 'gemini',
  files: () => ({
    '.gemini/settings.json': JSON.stringify({
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    }),
  }),
  env: ({ modelUrl }) => ({
    GEMINI_API_KEY: 'scripted',
    // Without one it asks which, in a form that no scripted sentence fills.
    GEMINI_MODEL: 'gemini-2.5-pro',
    GOOGLE_GEMINI_BASE_URL: modelUrl,
    GEMINI_TELEMETRY_ENABLED: 'false',
  }),
  takes: { of: 'project', file: '.gemini/settings.json' },
  allow: trusted,
  args: (prompt) => ['--skip-trust', '--model', 'gemini-2.5-pro', '--prompt', prompt],
  promptArgs: (prompt) => ['--skip-trust', '--model', 'gemini-2.5-pro', '--prompt', `/${prompt} src`],
  source: {
    name: 'gemini',
    servers: (command) => ({
      '.gemini/settings.json': JSON.stringify({ mcpServers: { trap: { command } } }),
    }),
  },
} as const satisfies RealHost;
