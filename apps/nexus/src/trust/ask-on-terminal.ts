import { confirm } from '../terminal/confirm.ts';
import { readJudged } from './read-judged.ts';
import { shownParts } from './shown-parts.ts';
import { declinedKey, declineParts, readTrust, trustParts } from './trust-record.ts';

/**
 * Asks the person at the terminal, once, about the parts of the project's config that wait for trust.
 * @param config `--config`
 * @returns whether they are trusted now
 */
export async function askOnTerminal(config: string | undefined): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  // What is wrong with the config is told by the command itself.
  const judged = await readJudged(config).catch(() => undefined);
  if (judged?.configFile === undefined || judged.waiting.length === 0) return false;
  const { configFile, waiting, parts } = judged;
  const record = readTrust(configFile);
  if (record.declined === declinedKey(waiting)) return false;
  const lines = shownParts(waiting, record).map((line) => `  ${line}`);
  process.stderr.write(`The config of this project, ${configFile}, would\n${lines.join('\n')}\n`);
  if (await confirm('Do you trust that?')) {
    trustParts(configFile, waiting, parts);
    return true;
  }
  declineParts(configFile, waiting);
  process.stderr.write('These parts are not used; `nexus trust` asks again.\n');
  return false;
}
