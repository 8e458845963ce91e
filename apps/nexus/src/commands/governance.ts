import { describeDifference, differences, type ServerLock } from '@nexus/core';
import { readServerByCommand } from '../governance/read-server-by-command.ts';
import { readServerLock, writeServerLock } from '../governance/server-lock-file.ts';
import { createLog } from '../log.ts';
import { type Command, jsonOption, type Options, text } from './command.ts';

const LOCK_FILE = 'mcp.lock.json';
const TIMEOUT_MS = 60_000;
/** Exit codes: what was pinned holds; it drifted; it could not be told. */
const EXIT = { ok: 0, drift: 1, unknown: 2 } as const;

export const governance: Command = {
  usage: 'governance <action> [command...]',
  summary: 'pin what any MCP server offers in a file, and check later that it still offers the same',
  options: [
    { flags: '--lock <file>', description: `the lock file (default: ${LOCK_FILE})` },
    { flags: '--timeout <ms>', description: `how long the server may take (default: ${TIMEOUT_MS})` },
    {
      flags: '--env <names>',
      description: 'variables that the server gets beside the harmless few, with commas',
    },
    jsonOption,
  ],
  examples: [
    'governance pin -- npx -y @modelcontextprotocol/server-everything',
    'governance check -- npx -y @modelcontextprotocol/server-everything',
    'governance check --lock locks/files.lock.json -- node ./files-server.js',
  ],
  async run([action, command], options) {
    const fault = usageFault(action, command, options);
    if (fault) return fail(fault);
    const lockFile = text(options, 'lock') ?? LOCK_FILE;
    try {
      const pinned = readServerLock(lockFile);
      if (action === 'check' && !pinned) {
        return fail(`no lock at ${lockFile}; \`nexus governance pin\` writes one, --lock names another`);
      }
      const { lock, faults } = await readServerByCommand({
        command: command as readonly string[],
        timeoutMs: timeoutMs(options),
        inherits: text(options, 'env')?.split(',') ?? [],
        log: createLog('error'),
      });
      for (const each of faults) process.stderr.write(`nexus: ${each}\n`);
      const drift = pinned ? differences(pinned, lock) : [];
      if (action === 'pin') writeServerLock(lockFile, lock);
      const lines = drift.map(describeDifference);
      report({ options, lines, summary: summaryOf(action, lines.length, { lock, lockFile }), drift });
      return action === 'check' && drift.length > 0 ? EXIT.drift : EXIT.ok;
    } catch (error) {
      return fail((error as Error).message);
    }
  },
};

type Argument = Parameters<Command['run']>[0][number];

function usageFault(action: Argument, command: Argument, options: Options): string | undefined {
  if (action !== 'pin' && action !== 'check') return `no action "${String(action)}"; use pin or check`;
  if (!Array.isArray(command) || command.length === 0) {
    return `name the server's command after two dashes: nexus governance ${action} -- npx -y some-server`;
  }
  if (!(timeoutMs(options) > 0)) return '--timeout must be a number of milliseconds above 0';
  return undefined;
}

function timeoutMs(options: Options): number {
  const given = text(options, 'timeout');
  return given === undefined ? TIMEOUT_MS : Number(given);
}

function summaryOf(
  action: Argument,
  driftCount: number,
  { lock, lockFile }: { lock: ServerLock; lockFile: string },
): string {
  const offered = Object.entries(lock)
    .map(([section, entries]) => [section, Object.keys(entries).length] as const)
    .filter(([, count]) => count > 0)
    .map(([section, count]) => `${section} ${count}`)
    .join(', ');
  if (action === 'pin') return `Pinned in ${lockFile}: ${offered || 'nothing, since it offers nothing'}.`;
  if (driftCount === 0) return `As pinned in ${lockFile}: ${offered}.`;
  return `${driftCount} differences from ${lockFile}. If they are meant: nexus governance pin`;
}

function report(told: {
  options: Options;
  lines: readonly string[];
  summary: string;
  drift: readonly object[];
}): void {
  const { options, lines, summary, drift } = told;
  process.stdout.write(
    options.json ? `${JSON.stringify({ drift }, null, 2)}\n` : `${[...lines, summary].join('\n')}\n`,
  );
}

function fail(message: string): number {
  process.stderr.write(`nexus: ${message}\n`);
  return EXIT.unknown;
}
