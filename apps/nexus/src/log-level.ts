/** From most to least talkative. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * `--verbose`, else `NEXUS_LOG_LEVEL`, else warnings and errors.
 * @throws {Error} for a level that does not exist
 */
export function logLevel(isVerbose: boolean): LogLevel {
  if (isVerbose) return 'debug';
  const wanted = process.env.NEXUS_LOG_LEVEL;
  if (wanted === undefined || wanted === '') return 'warn';
  const level = LOG_LEVELS.find((each) => each === wanted);
  if (level) return level;
  throw new Error(`NEXUS_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}; found ${JSON.stringify(wanted)}`);
}
