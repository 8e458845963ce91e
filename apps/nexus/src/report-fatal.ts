import { redactText } from '@nexus/untrusted/secrets';
import { shown } from './terminal/shown.ts';

/**
 * Says on stderr why Nexus can't go on; the stack only where asked for, since users mend messages.
 * @param then once that is written
 */
export function reportFatal(error: unknown, then: () => void = () => {}): void {
  const text = error instanceof Error ? error.message : String(error);
  const isAsked = process.env.NEXUS_LOG_LEVEL === 'debug' && error instanceof Error;
  process.exitCode = 1;
  const lines = redactText(`nexus: ${text}\n${isAsked ? `${error.stack}\n` : ''}`);
  process.stderr.write(shown(lines, process.stderr), then);
}
