import { panelOf, type VoterName, voterNames } from './voters.ts';

/** Who is asked about a matter, and who is not. */
export interface Panel {
  readonly voters: readonly VoterName[];
  readonly leftOut: readonly { readonly voter: VoterName; readonly why: string }[];
}

interface Field {
  /** As an answer says it. */
  readonly name: string;
  /** What speaks of it, in the singular. */
  readonly words: readonly string[];
}

/** Views that are of some matters only. Whoever stands not here has a stake in any: structure, safety, scope, doubt. */
const fields: Partial<Record<VoterName, Field>> = {
  devex: {
    name: 'what developers work with',
    words:
      'api cli sdk interface doc documentation readme tutorial example error message log logging debug debugging test testing ci build bundler compiler lint type typescript config configuration setting option flag default upgrade migrate migration deprecate deprecated deprecation breaking version semver install installation dependency package library module naming rename developer contributor tool tooling script command syntax boilerplate plugin'.split(
        ' ',
      ),
  },
  ai_ml: {
    name: 'models, measures or statistics',
    words:
      'model llm prompt ai ml agent embedding training train dataset inference neural classifier classification prediction predict accuracy precision recall metric benchmark statistic statistical measure measurement threshold heuristic ranking rank score scoring similarity sampling probability confidence evaluation forecast anomaly recommendation'.split(
        ' ',
      ),
  },
  pm: {
    name: 'users, features or what a product costs',
    words:
      'user customer feature product release roadmap launch price pricing billing payment invoice ux ui deadline market marketing support adoption requirement onboarding business cost budget priority milestone story subscription checkout account'.split(
        ' ',
      ),
  },
};

/**
 * Those of the panel who have a stake in a matter: each whose view is of anything, and each of a field that the
 * matter speaks of. By words alone, so that it costs nothing and comes out the same again; who is wrongly asked may
 * still say that it has none.
 * @param text of the matter
 */
export function withStake(text: string, quickMode: boolean): Panel {
  const words = new Set(wordsIn(text));
  const panel = panelOf(quickMode);
  const hasStake = (voter: VoterName) => {
    const field = fields[voter];
    return field === undefined || field.words.some((word) => words.has(word));
  };
  return {
    voters: panel.filter(hasStake),
    leftOut: panel
      .filter((voter) => !hasStake(voter))
      .map((voter) => ({ voter, why: `Nothing in it speaks of ${fields[voter]?.name}.` })),
  };
}

/** Those of these names, in the panel's order. @param why the others are not asked */
export function named(names: readonly string[], why: string): Panel {
  return {
    voters: voterNames.filter((voter) => names.includes(voter)),
    leftOut: voterNames.filter((voter) => !names.includes(voter)).map((voter) => ({ voter, why })),
  };
}

/** Lower-case, between changes of case too, so that a path or a symbol speaks as prose does; without a plural’s s. */
function wordsIn(text: string): string[] {
  const parted = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return (parted.match(/[a-z]+/g) ?? []).flatMap((word) => [word, word.replace(/s$/, '')]);
}
