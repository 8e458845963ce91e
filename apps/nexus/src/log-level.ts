/** From most to least talkative. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `--verbose`, else `NEXUS_LOG_LEVEL`, else warnings and errors. */
export function logLevel(isVerbose: boolean): LogLevel {
  if (isVerbose) return 'debug';
  const wanted = process.env.NEXUS_LOG_LEVEL;
  return LOG_LEVELS.find((level) => level === wanted) ?? 'warn';
}
