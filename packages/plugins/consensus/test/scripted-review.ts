import type { GenerateRequest } from '@nexus/plugin-sdk';
import { type ScriptedAnswer, scriptedModels } from '@nexus/testing';
import type { Claim } from '../src/review/findings/finding.ts';
import { FILTER } from '../src/review/prompts.ts';
import { type ReviewerName, reviewers } from '../src/review/reviewers.ts';
import { TWO_MODELS } from './scripted-panel.ts';

export type Asked = ReviewerName | 'filter';

/** Who is asked, by the prompt that each role has. */
export function askedOf({ system = '' }: GenerateRequest): Asked {
  if (system.startsWith(FILTER)) return 'filter';
  const names = Object.keys(reviewers) as ReviewerName[];
  const found = names.find((name) => system.startsWith(reviewers[name].prompt));
  if (!found) throw new Error(`nobody of a review is asked this: ${system.slice(0, 100)}`);
  return found;
}

export const claim = (about: Partial<Claim>): Claim => ({
  file: 'src/login.ts',
  line: 1,
  quote: 'const x = 1;',
  severity: 'high',
  kind: 'defect',
  claim: 'It is wrong.',
  ...about,
});

type Finds =
  | Partial<Record<ReviewerName, readonly Claim[] | Error>>
  | ((asked: ReviewerName, prompt: string) => readonly Claim[]);

type Judged = 'real' | 'not_real' | 'cannot_tell';

export interface ReviewScript {
  readonly finds?: Finds;
  /** By default every finding that is asked about is real. */
  readonly judges?: (
    prompt: string,
  ) => Judged | { readonly verdict: Judged; readonly answersAgainst: string } | Error;
}

/** Reviewers that find what they are told to, and a filter. */
export function scriptedReview({ finds = {}, judges = () => 'real' }: ReviewScript) {
  return scriptedModels(
    (request): ScriptedAnswer => {
      const asked = askedOf(request);
      const prompt = typeof request.prompt === 'string' ? request.prompt : JSON.stringify(request.prompt);
      if (asked === 'filter') {
        const said = judges(prompt);
        if (said instanceof Error) return said;
        const judged = typeof said === 'string' ? { verdict: said } : said;
        return { object: { reasoning: `It is ${judged.verdict}.`, ...judged } };
      }
      const findings = typeof finds === 'function' ? finds(asked, prompt) : (finds[asked] ?? []);
      return findings instanceof Error ? findings : { object: { findings } };
    },
    { models: TWO_MODELS },
  );
}
