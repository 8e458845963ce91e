import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** What goes wrong before a word is said: the process ends, or stays and says nothing. */
export function startUp({ startsFile, failStarts = 0, exitCode, stderr, ignoreSigterm }) {
  if (stderr !== undefined) process.stderr.write(`${stderr}\n`);
  if (startsFile !== undefined) appendFileSync(startsFile, `${process.pid}\n`);
  if (ignoreSigterm) process.on('SIGTERM', () => {});
  const starts = failStarts > 0 ? readFileSync(startsFile, 'utf8').trim().split('\n').length : 1;
  if (exitCode !== undefined && (failStarts === 0 || starts <= failStarts)) process.exit(exitCode);
}

export async function untilThere(file) {
  while (file !== undefined && !existsSync(file)) await wait(10);
}
