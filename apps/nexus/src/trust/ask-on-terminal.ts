import { confirm } from '../terminal/confirm.ts';
import { say, sayWhole } from '../terminal/output.ts';
import { describeWaiting } from './describe-waiting.ts';
import { readJudged } from './read-judged.ts';
import { shownParts } from './shown-parts.ts';
import { declineParts, isDeclined, trustedBefore, trustParts } from './trust-record.ts';

/**
 * What a command does without, as lines of its own where nobody can be asked: else a tool, a model or a server of the
 * config is not there, and nothing says why.
 */
export async function waitingNotes(config: string | undefined): Promise<readonly string[]> {
  if (canAsk()) return [];
  const judged = await readJudged(config).catch(() => undefined);
  return judged === undefined ? [] : describeWaiting(judged.waiting);
}

function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/**
 * Asks the person at the terminal, once, about what of the project waits for trust.
 * @param config `--config`
 * @returns whether they are trusted now
 */
export async function askOnTerminal(config: string | undefined): Promise<boolean> {
  if (!canAsk()) return false;
  // What is wrong with the config is told by the command itself.
  const judged = await readJudged(config).catch(() => undefined);
  if (judged === undefined || judged.waiting.length === 0 || isDeclined(judged.waiting)) return false;
  const { projectRoot, waiting, parts } = judged;
  const lines = shownParts(waiting, trustedBefore(waiting)).map((line) => `  ${line}`);
  sayWhole([`Not trusted yet in ${projectRoot}:`, ...lines]);
  const answer = await confirm('Do you trust this?');
  if (answer === true) {
    trustParts(waiting, parts);
    return true;
  }
  // Only a no that was said is remembered.
  if (answer === false) declineParts(waiting);
  say('These parts are not used; `nexus trust` asks again.');
  return false;
}
