/** One voter: what it looks at, and nothing of what it should come to. */
interface VoterData {
  /** For people. */
  readonly title: string;
  /** Put before the rules that all share; short, so that the proposal is what is read. */
  readonly prompt: string;
  /** Whether it votes in quick mode too. */
  readonly isQuick: boolean;
}

/** The panel. Each voter stands for one view; none is told which way to vote. */
export const voters = {
  architect: {
    title: 'Architect',
    prompt:
      'You judge structure: whether this fits what is there, what it couples, what it makes hard to change later, and whether something simpler does the same.',
    isQuick: true,
  },
  security: {
    title: 'Security',
    prompt:
      'You judge safety: who could misuse this and how, what it trusts, what it exposes, what happens to secrets and to other people’s data, and how it fails.',
    isQuick: true,
  },
  devex: {
    title: 'Developer experience',
    prompt:
      'You judge what it is like to work with: how it is learnt, debugged, tested and upgraded, and what it costs those who do not use it.',
    isQuick: false,
  },
  ai_ml: {
    title: 'AI and ML',
    prompt:
      'You judge data and models: what is measured and how, what an automated or statistical part does when it is wrong, and whether claims of quality or cost have ground.',
    isQuick: false,
  },
  pm: {
    title: 'Product',
    prompt:
      'You judge use: whose problem this solves, whether that problem is real, what it costs in time, and what is not done instead.',
    isQuick: false,
  },
  catfish: {
    title: 'Doubter (catfish)',
    prompt:
      'You look for what speaks against this that others overlook: the assumption nobody checked, the case that is left out, the cost that comes later. You are not bound to reject: where you have looked and found nothing that matters, approve, and say where you looked.',
    isQuick: false,
  },
  scope_steward: {
    title: 'Scope steward',
    prompt:
      'You judge scope: whether this is one thing, whether it does what it says and no more, what it brings along unasked, and whether a smaller step would do.',
    isQuick: true,
  },
} as const satisfies Record<string, VoterData>;

export type VoterName = keyof typeof voters;

export const voterNames = Object.keys(voters) as readonly VoterName[];

/** Who looks at a proposal alone: it is asked what speaks against it. */
export const glanceVoters: readonly VoterName[] = ['catfish'];

/** Who votes: all, or the few of quick mode. */
export function panelOf(quickMode: boolean): readonly VoterName[] {
  return quickMode ? voterNames.filter((name) => voters[name].isQuick) : voterNames;
}

/** For people; of a voter that is no longer there, its name. */
export function voterTitle(name: string): string {
  const known: Readonly<Record<string, VoterData>> = voters;
  return known[name]?.title ?? name;
}
