import { join } from 'node:path';

/** Where things are on this machine. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly projectRoot: string;
}

/** A host whose servers can be taken over. */
export interface ImportableHost {
  readonly title: string;
  /** Where its servers may be, the file that wins first. */
  files(machine: Machine): readonly string[];
}

/** By the name that the command takes. */
export const importableHosts = {
  'claude-desktop': {
    title: 'Claude Desktop',
    files: (machine) => [join(appFolder(machine), 'Claude', 'claude_desktop_config.json')],
  },
  'claude-code': {
    title: 'Claude Code',
    files: ({ home, projectRoot }) => [join(projectRoot, '.mcp.json'), join(home, '.claude.json')],
  },
  cursor: {
    title: 'Cursor',
    files: ({ home, projectRoot }) =>
      [projectRoot, home].map((folder) => join(folder, '.cursor', 'mcp.json')),
  },
  vscode: {
    title: 'VS Code',
    files: (machine) => [
      join(machine.projectRoot, '.vscode', 'mcp.json'),
      join(appFolder(machine), 'Code', 'User', 'mcp.json'),
    ],
  },
} as const satisfies Readonly<Record<string, ImportableHost>>;

/** Where the platform's applications keep their settings. */
function appFolder({ platform, home, env }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  return env.XDG_CONFIG_HOME || join(home, '.config');
}
