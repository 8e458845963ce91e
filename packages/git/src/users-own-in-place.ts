import { ToolError } from '@nexus/plugin-sdk';

export type Setting = readonly [key: string, value: string];

/** Whose word counts about what is run. Everything else came with the repository. */
const USERS_OWN: readonly string[] = ['system', 'global', 'command'];

/** Every setting below these is a command, or gives one its arguments. */
const SECTIONS = /^(?:alias|pager|hook|guitool|lfs\.(?:customtransfer|extension))\./i;
/** The last word of a key whose value git, git-lfs or a program that git starts would run, load or look for. */
const RUNS =
  /\.(?:[^.]*(?:cmd|commands?|program|helper|editor|pager|proxy|driver|hook|hookspath|askpass|agent|filter|filesystem)|textconv|clean|smudge|process|required|external|fsmonitor|uploadpack|receivepack|vcs|tunnel|smtpserver|httpd|browser|templatedir)$/i;
/** Where a program is, of the tools that are chosen by their name. */
const TOOL_PATH = /^(?:difftool|mergetool|browser|man)\..*\.path$/i;
/** Whether it holds is known only where git will be, in a worktree or on a branch that is still to come. */
const CONDITIONAL = /^includeif\./i;

/**
 * Settings to give git, so that nothing of a repository's own runs code: each key that would has the user's values in
 * its place, or none.
 * @param listed `git config --list --show-scope -z`
 * @throws {ToolError} NEXUS_UNAVAILABLE for a setting whose code can't be kept from running
 */
export function usersOwnInPlace(listed: string): Setting[] {
  const users = new Map<string, string[]>();
  const replaced = new Set<string>();
  const words = listed.split('\0');
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [scope = '', entry = ''] = [words[at], words[at + 1]];
    const end = entry.indexOf('\n');
    const key = end === -1 ? entry : entry.slice(0, end);
    if (USERS_OWN.includes(scope)) {
      // Without a value it is a switch that is on.
      users.set(key, [...(users.get(key) ?? []), end === -1 ? 'true' : entry.slice(end + 1)]);
    } else if (CONDITIONAL.test(key)) {
      const text = `The repository's own git config has ${JSON.stringify(key)}, which may bring in settings that run code, and only git knows when. Remove it there, or move it to your own config: \`git config --global\`.`;
      throw new ToolError('NEXUS_UNAVAILABLE', text, { detail: { key } });
    } else if (runsCode(key)) replaced.add(key);
  }
  // An empty value ends a list of values, and is no command where there is one.
  return [...replaced].flatMap((key) =>
    ['', ...(users.get(key) ?? [])].map((value): Setting => [key, value]),
  );
}

export function runsCode(key: string): boolean {
  return SECTIONS.test(key) || RUNS.test(key) || TOOL_PATH.test(key);
}
