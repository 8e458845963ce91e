import { readFileSync } from 'node:fs';
import { counted } from '@nexus/primitives';
import { visibleLine } from '@nexus/untrusted/shown';
import { describeDifference, differences } from '../governance/drift/differences.ts';
import type { ServerLock } from '../governance/drift/server-lock.ts';
import type { ProveHintsOptions, ProvenTool } from '../governance/prove-hints.ts';
import { readServerByCommand } from '../governance/read-server-by-command.ts';
import { readServerLock, writeServerLock } from '../governance/server-lock-file.ts';
import { createLog } from '../log.ts';
import { confirm } from '../terminal/confirm.ts';
import { print, printJson, warn } from '../terminal/output.ts';
import { type Command, jsonOption, type Options, text } from './command.ts';

const LOCK_FILE = 'mcp.lock.json';
const TIMEOUT_MS = 60_000;
/** Exit codes: what was pinned holds; it drifted; it could not be told. */
const EXIT = { ok: 0, drift: 1, unknown: 2 } as const;

export const governance: Command = {
  usage: 'governance <action> [command...]',
  summary: 'write down in a file what an MCP server offers, and check later that it is still the same',
  options: [
    { flags: '--lock <file>', description: `the lock file (default: ${LOCK_FILE})` },
    { flags: '--timeout <ms>', description: `how long the server may take (default: ${TIMEOUT_MS})` },
    {
      flags: '--env <names>',
      description: 'more variables that the server gets, separated by commas',
    },
    {
      flags: '--prove-hints',
      description: 'call its tools in a throw-away project, and name each that does not do as its hints say',
    },
    {
      flags: '--calls <file>',
      description: 'JSON with the calls to make, {"tool": [arguments, …]}; {project} in them is that project',
    },
    { flags: '-y, --yes', description: 'call without asking' },
    jsonOption,
  ],
  examples: [
    'governance pin -- npx -y @modelcontextprotocol/server-everything',
    'governance check -- npx -y @modelcontextprotocol/server-everything',
    'governance check --prove-hints -- npx -y @modelcontextprotocol/server-filesystem {project}',
    'governance check --lock locks/files.lock.json -- node ./files-server.js',
  ],
  async run([action, command], options) {
    const fault = usageFault(action, command, options);
    if (fault) return fail(fault);
    if (options.proveHints === true) return prove(command as readonly string[], options);
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
      faults.forEach(warn);
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

/** Calls what it tells of itself to be harmless, which nobody knows before. */
async function prove(command: readonly string[], options: Options): Promise<number> {
  const isJson = options.json === true;
  try {
    const calls = readCalls(text(options, 'calls'));
    if (options.yes !== true && !process.stdin.isTTY) {
      return fail('nothing is called; on a terminal it is asked, and with --yes it is not');
    }
    const question = `Start ${command.join(' ')} in a throw-away project and call its tools?`;
    if (options.yes !== true && (await confirm(question)) !== true) return fail('nothing is called');
    const { proveHints } = await import('../governance/prove-hints.ts');
    const { tools, sawConnections } = await proveHints({
      command,
      calls,
      timeoutMs: timeoutMs(options),
      inherits: text(options, 'env')?.split(',') ?? [],
      log: createLog('error'),
      onTool: (tool) => isJson || print(toolLines(tool)),
    });
    const lied = tools.filter(({ outcome }) => outcome === 'lied').length;
    const proven = tools.filter(({ outcome }) => outcome === 'kept').length;
    if (isJson) printJson({ tools, sawConnections });
    else {
      const unseen = sawConnections ? '' : ' To whom it connected is not seen on this system.';
      print(['', `${counted(tools.length, 'tool')}: ${proven} kept their word, ${lied} did not.${unseen}`]);
    }
    if (lied > 0) return EXIT.drift;
    return proven > 0 ? EXIT.ok : EXIT.unknown;
  } catch (error) {
    return fail((error as Error).message);
  }
}

const OUTCOMES = { kept: 'kept', lied: 'LIED', failed: 'failed', not_called: 'not called' } as const;

function toolLines({ tool, outcome, why }: ProvenTool): string[] {
  const [first, ...rest] = why.map(visibleLine);
  const head = `${OUTCOMES[outcome].padEnd(11)} ${visibleLine(tool)}`;
  return [
    first === undefined ? head : `${head}: ${first}`,
    ...rest.map((each) => `${' '.repeat(12)}${each}`),
  ];
}

function readCalls(file: string | undefined): ProveHintsOptions['calls'] {
  if (file === undefined) return {};
  const calls: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const isCalls = (value: unknown) =>
    Array.isArray(value) &&
    value.every((each) => typeof each === 'object' && each !== null && !Array.isArray(each));
  if (typeof calls !== 'object' || calls === null || !Object.values(calls).every(isCalls)) {
    throw new Error(`${file} has to be {"tool": [arguments, …]}, each an object`);
  }
  return calls as ProveHintsOptions['calls'];
}

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
  return `${counted(driftCount, 'difference')} from ${lockFile}. If ${driftCount === 1 ? 'it is' : 'they are'} meant: nexus governance pin`;
}

function report(told: {
  options: Options;
  lines: readonly string[];
  summary: string;
  drift: readonly object[];
}): void {
  const { options, lines, summary, drift } = told;
  if (options.json) process.stdout.write(`${JSON.stringify({ drift }, null, 2)}\n`);
  else print([...lines, summary]);
}

function fail(message: string): number {
  warn(message);
  return EXIT.unknown;
}
