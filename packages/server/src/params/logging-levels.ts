/** From least to most severe (MCP 2025-11-25, Logging; the names of syslog). */
export const LOGGING_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
