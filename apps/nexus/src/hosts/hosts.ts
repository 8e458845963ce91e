import { relative } from 'node:path';
import { KNOWN_APIS } from '@nexus/models/known-apis';
import { isInside } from '@nexus/primitives';
import { CLIENT_TIMEOUT } from '../boot/client-timeout.ts';
import { type HostCommand, hostConfig, hostEntry, sharedCommand } from '../server/host-config.ts';
import type { importableHosts } from './import/host-files.ts';

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
  /** What else it needs so that all of Nexus's tools work in it, and what may be chosen: sentences. */
  readonly needs?: string;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

// Both hosts put the folder that is open in its place.
// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of theirs
const FOLDER = '${workspaceFolder}';

type Entry = (start: HostCommand, project: HostProject) => Readonly<Record<string, unknown>>;

/** Nexus's own entry in the files of hosts that it also imports from: what is printed to be pasted is what is written. */
export const hostEntries = {
  'claude-code': (start) => ({ ...hostEntry(start) }),
  // Starts servers outside of any project.
  'claude-desktop': (start, { configFile }) => ({ ...hostEntry(start, configFile) }),
  cursor: (start, { root, configFile }) => {
    const inFolder = relative(root, configFile).replaceAll('\\', '/');
    // One in the user's own config directory is found from anywhere.
    const isInFolder = isInside({ path: configFile, folder: root });
    return { ...hostEntry(start, isInFolder ? `${FOLDER}/${inFolder}` : undefined) };
  },
  // Servers of the user's own file would else be started in the home directory.
  vscode: (start) => ({ type: 'stdio', ...start, cwd: FOLDER }),
} as const satisfies Record<keyof typeof importableHosts, Entry>;

const cursor: HostSetup['snippet'] = (start, project) =>
  json({ mcpServers: { nexus: hostEntries.cursor(start, project) } });

const vsCode: HostSetup['snippet'] = (start) => json({ servers: { nexus: hostEntries.vscode(start) } });

/** By which Nexus finds its models' keys and addresses; some hosts hand on no variable that is not named. */
const KEY_VARIABLES = Object.values(KNOWN_APIS).flatMap(({ keyVariables, baseUrlVariables }) => [
  ...keyVariables,
  ...baseUrlVariables,
]);

/** Longer than the largest budget of a tool, so that Nexus says what became of a call before a host gives up on it. */
const LONGEST_CALL_S = 960;

export const hosts = [
  {
    name: 'Claude Code',
    where: 'run in the project',
    snippet: ({ command, args }) => `claude mcp add nexus -- ${[command, ...args].map(quote).join(' ')}`,
    needs:
      'Without anybody at its terminal (`claude --print`) it refuses tools that nobody allowed: `--allowedTools mcp__nexus` allows all of Nexus’s.',
  },
  {
    name: 'Claude Desktop',
    where: 'Settings > Developer > Edit Config (claude_desktop_config.json)',
    snippet: (start, project) =>
      json({ mcpServers: { nexus: hostEntries['claude-desktop'](start, project) } }),
  },
  { name: 'Cursor', where: '.cursor/mcp.json in the project, not to be committed as it is', snippet: cursor },
  { name: 'VS Code', where: 'the user’s mcp.json (MCP: Open User Configuration)', snippet: vsCode },
  {
    name: 'Codex',
    where: '~/.codex/config.toml',
    snippet: ({ command, args }) =>
      [
        '[mcp_servers.nexus]',
        `command = ${JSON.stringify(command)}`,
        `args = ${tomlList(args)}`,
        `env_vars = ${tomlList([...KEY_VARIABLES, 'NEXUS_DEPTH'])}`,
        `tool_timeout_sec = ${LONGEST_CALL_S}`,
        '# default_tools_approval_mode = "approve"',
      ].join('\n'),
    needs:
      'Codex hands on no variables but those in env_vars. `codex exec` refuses each tool that may change something, open_toolbox and use_tool among them, until the last line is no comment: then Codex asks you about none of Nexus’s tools.',
  },
  {
    name: 'Gemini CLI',
    where: '.gemini/settings.json in the project, or in your home',
    snippet: (start) =>
      json({
        mcpServers: {
          nexus: {
            ...start,
            env: Object.fromEntries(KEY_VARIABLES.map((name) => [name, `\${${name}:-}`])),
            timeout: LONGEST_CALL_S * 1000,
          },
        },
      }),
    needs:
      'Gemini CLI keeps variables with keys to itself, but for those under env. Without anybody at its terminal (`gemini --prompt`) it lists no tool that it would have to ask about: `"trust": true` beside the timeout allows all of Nexus’s, `--approval-mode yolo` all tools for one run.',
  },
  {
    name: 'Qwen Code',
    where: '.qwen/settings.json in the project, or in your home',
    snippet: (start) => json({ mcpServers: { nexus: { ...start, timeout: LONGEST_CALL_S * 1000 } } }),
    needs:
      'Without anybody at its terminal (`qwen --prompt`) it refuses tools that it would have to ask about: `"trust": true` beside the timeout allows all of Nexus’s, `--approval-mode yolo` all tools for one run.',
  },
  {
    name: 'opencode',
    where: 'opencode.json in the project',
    snippet: ({ command, args }) =>
      json({
        mcp: {
          nexus: {
            type: 'local',
            command: [command, ...args],
            enabled: true,
            timeout: LONGEST_CALL_S * 1000,
          },
        },
      }),
    needs: 'It allows tools of MCP servers unless its section `permission` says otherwise.',
  },
  {
    name: 'Cline',
    where: '~/.cline/data/settings/cline_mcp_settings.json; in the editor: MCP Servers > Configure',
    snippet: (start, { configFile }) =>
      json({
        mcpServers: {
          nexus: {
            ...hostConfig(start, configFile).mcpServers.nexus,
            // Else Nexus takes it for one that cuts at its default, since no message tells of its timeout.
            env: { [CLIENT_TIMEOUT]: `${LONGEST_CALL_S * 1000}` },
            timeout: LONGEST_CALL_S,
          },
        },
      }),
    needs:
      'Without a timeout, in seconds, Cline cuts every call at 60. It hands on no variables: put keys of models under `env`, or into the config’s `models.providers`.',
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

function tomlList(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(', ')}]`;
}

function quote(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`;
}
