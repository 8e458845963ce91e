import type { BudgetClass } from '@nexus/plugin-sdk';

/** Milliseconds a call of each class may take. */
export const BUDGETS_MS = {
  interactive: 60_000,
  network: 120_000,
  model: 300_000,
  panel: 600_000,
  pipeline: 900_000,
} as const satisfies Record<BudgetClass, number>;

/** What `NEXUS_TIMEOUT_MULTIPLIER` may be. */
export const MULTIPLIER_RANGE = { min: 0.25, max: 10 } as const;

/** No budget exceeds an hour, whatever the override and the multiplier say. */
export const HARD_CAP_MS = 3_600_000;

export interface BudgetSettings {
  /** Per tool name, in milliseconds; replaces the class's budget. */
  readonly overridesMs: Readonly<Record<string, number>>;
  /** Applies to every budget, overridden or not; within {@link MULTIPLIER_RANGE}. */
  readonly multiplier: number;
}

/** @throws {RangeError} a setting that a checked config can't hold */
export function assertBudgetSettings({ overridesMs, multiplier }: BudgetSettings): void {
  const { min, max } = MULTIPLIER_RANGE;
  if (!(multiplier >= min && multiplier <= max)) {
    throw new RangeError(`The timeout multiplier must be ${min} to ${max}, received ${multiplier}`);
  }
  for (const [name, ms] of Object.entries(overridesMs)) {
    if (!(ms > 0)) throw new RangeError(`tools.${name}.timeoutMs must be above 0, received ${ms}`);
  }
}

/** What a call of the tool may take, in milliseconds. */
export function budgetMs(
  tool: { name: string; budget: BudgetClass; budgetMs?: number | undefined },
  settings: BudgetSettings,
): number {
  const { overridesMs, multiplier } = settings;
  const override = Object.hasOwn(overridesMs, tool.name) ? overridesMs[tool.name] : undefined;
  return Math.min(
    HARD_CAP_MS,
    Math.round((override ?? tool.budgetMs ?? BUDGETS_MS[tool.budget]) * multiplier),
  );
}
