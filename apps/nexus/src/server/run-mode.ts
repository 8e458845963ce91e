import { parseArgs } from 'node:util';
import { createLog, LOG_LEVELS, type LogLevel } from '../log.ts';
import { serverHelp } from './help.ts';
import { serveStdio } from './serve-stdio.ts';

const MODES = ['server'];

/**
 * `nexus --mode=server`: what hosts start.
 * @throws {Error} for a flag that does not exist
 */
export async function runMode(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      mode: { type: 'string' },
      config: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      standalone: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(serverHelp);
    return;
  }
  if (!MODES.includes(values.mode ?? '')) {
    throw new Error(`--mode=${values.mode} does not exist; allowed: ${MODES.join(', ')}`);
  }
  await serveStdio({ config: values.config, log: createLog(logLevel(values.verbose)) });
}

function logLevel(isVerbose: boolean): LogLevel {
  if (isVerbose) return 'debug';
  const wanted = process.env.NEXUS_LOG_LEVEL;
  return LOG_LEVELS.find((level) => level === wanted) ?? 'warn';
}
