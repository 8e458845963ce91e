import { relative } from 'node:path';
import { type HostCommand, hostConfig, sharedCommand } from '../server/host-config.ts';

/** Where the project is, for a host that starts servers outside of any. */
export interface HostProject {
  readonly root: string;
  /** Absolute, as the root. */
  readonly configFile: string;
}

/** One host, and what to paste where so that it starts Nexus. */
export interface HostSetup {
  readonly name: string;
  /** The file, or the place in the host, that takes the snippet. */
  readonly where: string;
  snippet(start: HostCommand, project: HostProject): string;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

// Both hosts put the folder that is open in its place.
// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of theirs
const FOLDER = '${workspaceFolder}';

const cursor: HostSetup['snippet'] = (start, { root, configFile }) => {
  const inFolder = relative(root, configFile).replaceAll('\\', '/');
  // One in the user's own config directory is found from anywhere.
  return json(hostConfig(start, inFolder.startsWith('..') ? undefined : `${FOLDER}/${inFolder}`));
};

/** Servers of the user's own file would else be started in the home directory. */
const vsCode: HostSetup['snippet'] = (start) =>
  json({ servers: { nexus: { type: 'stdio', ...start, cwd: FOLDER } } });

export const hosts = [
  {
    name: 'Claude Code',
    where: 'run in the project',
    snippet: ({ command, args }) => `claude mcp add nexus -- ${[command, ...args].map(quote).join(' ')}`,
  },
  {
    name: 'Claude Desktop',
    where: 'Settings > Developer > Edit Config (claude_desktop_config.json)',
    snippet: (start, { configFile }) => json(hostConfig(start, configFile)),
  },
  { name: 'Cursor', where: '.cursor/mcp.json in the project, not to be committed as it is', snippet: cursor },
  { name: 'VS Code', where: 'the user’s mcp.json (MCP: Open User Configuration)', snippet: vsCode },
  {
    name: 'Codex',
    where: '~/.codex/config.toml',
    snippet: ({ command, args }) =>
      `[mcp_servers.nexus]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
  },
  {
    name: 'Claude Code, shared with the team',
    where: '.mcp.json in the project; everybody installs the command `nexus`',
    snippet: () => json(hostConfig(sharedCommand)),
  },
  {
    name: 'Cursor, shared with the team',
    where: '.cursor/mcp.json in the project',
    snippet: (_start, project) => cursor(sharedCommand, project),
  },
  {
    name: 'VS Code, shared with the team',
    where: '.vscode/mcp.json in the project',
    snippet: (_start, project) => vsCode(sharedCommand, project),
  },
] as const satisfies readonly HostSetup[];

function quote(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`;
}
