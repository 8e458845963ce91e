import type { CallContext } from '@nexus/plugin-sdk';
import { counted, OWN_SENTENCES, visibleName } from '@nexus/primitives';
import { displayPath } from '../roots/display-path.ts';
import type { Target } from '../roots/targets.ts';
import type { CodeState } from '../state.ts';
import { MAX_PROBED, unsearched } from '../unsearched/unsearched.ts';

const MAX_NAMED = 5;

/** What an answer that has all there is must say beside it: which files the search did not see. */
export async function sayUnsearched(
  { cwd, file }: Target,
  { pattern, glob }: { readonly pattern: string; readonly glob?: string | undefined },
  { state, host, signal }: CallContext<CodeState>,
): Promise<string[]> {
  // One that was named alone is read as it is, or refused.
  if (file !== undefined) return [];
  const isAscii = !/[^\0-\x7f]/.test(pattern);
  const found = await state.unsearched.of(cwd, { isAscii }).find(signal);
  const isNothing = found.tooLarge.length + found.foreign.length === 0 && !found.isPartial;
  const { tooLarge, foreign, isPartial } =
    glob === undefined || isNothing ? found : await unsearched(state.ripgrep, { cwd, glob, isAscii, signal });
  const shown = (path: string) => visibleName(displayPath(host.projectRoot, `${cwd}/${path}`));
  const large = named(tooLarge.map(shown));
  const other = named(foreign.map((each) => `${shown(each.file)} (${each.readAs})`));
  return [
    ...(tooLarge.length > 0
      ? [OWN_SENTENCES.tooLargeToSearch(counted(tooLarge.length, 'file'), state.maxFileBytes, large)]
      : []),
    ...(foreign.length > 0
      ? [
          OWN_SENTENCES.foreignUnsearched(
            `${counted(foreign.length, 'file')} that ${foreign.length === 1 ? 'is' : 'are'}`,
            other,
          ),
        ]
      : []),
    ...(isPartial ? [OWN_SENTENCES.restUnsearched(MAX_PROBED)] : []),
  ];
}

function named(shown: readonly string[]): string {
  const all = [...shown].sort();
  const rest = all.length - MAX_NAMED;
  return [...all.slice(0, MAX_NAMED), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}
