/** Says on stderr why Nexus can't go on; the stack only where asked for, since users mend messages. */
export function reportFatal(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`nexus: ${text}\n`);
  if (process.env.NEXUS_LOG_LEVEL === 'debug' && error instanceof Error) {
    process.stderr.write(`${error.stack}\n`);
  }
  process.exitCode = 1;
}
