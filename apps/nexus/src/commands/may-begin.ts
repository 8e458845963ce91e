import { canAsk } from '../runs/person-at-terminal.ts';
import { confirm } from '../terminal/confirm.ts';
import type { Options } from './command.ts';

/** @returns why nothing is begun: the person said no, or is not there to be asked and did not say --yes */
export async function refusalOf(options: Options, question: string): Promise<string | undefined> {
  if (options.yes === true) return undefined;
  if (!canAsk()) return 'nothing was begun; say --yes to begin it';
  return (await confirm(question)) === true ? undefined : 'nothing was begun';
}
