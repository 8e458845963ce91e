/** One figure of docs/performance.md: Nexus beside something real, measured in the same run. */
export interface Figure {
  /** What was measured, as a row's title. */
  readonly what: string;
  readonly unit: 'ms' | 'MB' | 'kB' | 'tokens' | 'calls/s' | 'share';
  readonly nexus: number;
  /** What it is held against, with its value in the same unit; absent for an absolute bound. */
  readonly against?: Reference;
  readonly target: Target;
  /**
   * The least that anything in this place must cost, in the same unit: why a missed target may be out of reach.
   * Several where one does less than what is measured has to.
   */
  readonly floors?: readonly Reference[];
}

/** Something real that was measured in the same run. */
export interface Reference {
  readonly name: string;
  readonly value: number;
}

/** The bound that was promised, on the ratio to `against` or on the value itself. */
export type Target = { readonly of: 'ratio' | 'value' } & (
  | { readonly atMost: number }
  | { readonly atLeast: number }
);

/** A group of figures measured together. */
export interface Measure {
  readonly name: string;
  /** How it is measured, for the page: what runs, how often, which statistic. */
  readonly method: string;
  /** It installs programs of others first, from npm, to stand beside. */
  readonly fetches?: true;
  /** No figures: what it measures with is not on this machine, and the page leaves it out. */
  run(): Promise<readonly Figure[]>;
}

export function ratioOf({ nexus, against }: Figure): number | undefined {
  return against && nexus / against.value;
}

export function meetsTarget(figure: Figure): boolean {
  const measured = figure.target.of === 'ratio' ? ratioOf(figure) : figure.nexus;
  if (measured === undefined) return false;
  const { target } = figure;
  return 'atMost' in target ? measured <= target.atMost : measured >= target.atLeast;
}
