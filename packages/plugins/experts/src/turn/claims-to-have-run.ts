import { READING_KIT } from '@nexus/plugin-sdk';

const PROGRAMS = 'npm|npx|pnpm|yarn|bun|deno|node|python|pytest|go|cargo|make|mvn|gradle|dotnet';
/** Somebody says of themselves that they ran a command, tests or a build. */
const RAN = new RegExp(
  `\\bI(?:['’]ve| have)? (?:re-?)?(?:ran|run|executed) (?:(?:all|the|its|their|whole|full|unit|existing|new) ){0,4}(?:\`?(?:${PROGRAMS})\\b|tests?\\b|suite\\b|build\\b)[^\\n]{0,300}`,
  'g',
);
const END = /[.!?](?=\s|$)/;
const MARK = ' (nothing was run)';

/**
 * An answer, with `(nothing was run)` behind each sentence by which its author says to have run something, where
 * nothing but the tools that read was called: then nothing can have been.
 */
export function markClaimsToHaveRun(text: string, toolCalls: readonly { readonly name: string }[]): string {
  const reads: readonly string[] = READING_KIT;
  if (toolCalls.some(({ name }) => !reads.includes(name))) return text;
  return text.replace(RAN, (said) => {
    const end = END.exec(said)?.index ?? said.length;
    const after = said.slice(end);
    return said.includes(MARK) ? said : `${said.slice(0, end)}${MARK}${after}`;
  });
}
