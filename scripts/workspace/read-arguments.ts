import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The code that a command ends with when it was called wrongly; 1 is for what it found. */
const WRONG_USE = 2;

/** What stands on the command line of one of the workspace's commands. `--help` prints the help and ends the process. */
export function readArguments<const Config extends ParseArgsConfig>(
  help: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (process.argv.some((argument) => argument === '--help' || argument === '-h')) {
    process.stdout.write(help);
    process.exit(0);
  }
  return asked(() => parseArgs(config));
}

/** What is read of what a user wrote: that it can't be read is their fault, told in a sentence, without a stack. */
export function asked<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    wrongUse(error instanceof Error ? error.message : String(error));
  }
}

/** Ends the process for an option or a name that the command does not know. */
export function wrongUse(message: string): never {
  process.stderr.write(`${message.replace(/\.$/, '')}; see --help.\n`);
  process.exit(WRONG_USE);
}
