import type { ProviderSettings } from '../settings.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import type { CliDialect } from './dialect.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';

/** By name, in their usual order. */
export const CLI_DIALECTS: Readonly<Record<string, CliDialect>> = { claude, codex, gemini, opencode };

/** The command lines that may be asked, in their usual order. */
export const CLI_NAMES: readonly string[] = Object.keys(CLI_DIALECTS);

/** Whether a command line is there, by what file, or what to do. */
export function findCli(
  name: string,
  providers: Readonly<Record<string, ProviderSettings>>,
  findProgram: (command: string) => string | undefined,
): { readonly isFound: boolean; readonly reason: string } {
  const own = providers[name];
  if (own?.isEnabled === false)
    return { isFound: false, reason: `switched off by models.providers.${name}.enabled` };
  const command = own?.command ?? CLI_DIALECTS[name]?.program ?? name;
  const file = findProgram(command);
  if (file) return { isFound: true, reason: file };
  return { isFound: false, reason: `there is no program "${command}" on the PATH: install it and log in` };
}
