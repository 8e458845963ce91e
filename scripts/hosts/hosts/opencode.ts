import type { RealHost } from '../real-host.ts';

export const opencode = {
  name: 'opencode',
  packageName: 'opencode-ai',
  program: 'opencode',
  files: ({ modelUrl }) => ({
    '.config/opencode/opencode.json': JSON.stringify({
      autoupdate: false,
      share: 'disabled',
      model: 'scripted/scripted',
      small_model: 'scripted/scripted',
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${modelUrl}/v1`, apiKey: 'scripted' },
          models: { scripted: { name: 'scripted', limit: { context: 200_000, output: 8_000 } } },
        },
      },
    }),
  }),
  env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }),
  takes: { of: 'project', file: 'opencode.json' },
  args: (prompt) => ['run', prompt],
  promptArgs: (prompt) => ['run', '--command', `nexus:${prompt}`, 'src'],
  source: {
    name: 'opencode',
    servers: (command) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        mcp: { trap: { type: 'local', command: [command], enabled: true } },
      }),
    }),
  },
} as const satisfies RealHost;
