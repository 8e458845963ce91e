import type { BudgetClass } from '@nexus/plugin-sdk';

/** Milliseconds a call of each class may take. */
export const BUDGETS_MS = {
  interactive: 60_000,
  network: 120_000,
  model: 300_000,
  panel: 600_000,
  pipeline: 900_000,
} as const satisfies Record<BudgetClass, number>;

/** No budget exceeds an hour, whatever the override and the multiplier say. */
export const HARD_CAP_MS = 3_600_000;

export interface BudgetSettings {
  /** Per tool name, in milliseconds; replaces the class's budget. */
  readonly overridesMs: Readonly<Record<string, number>>;
  /** Applies to every budget; 0.25 to 10 (`NEXUS_TIMEOUT_MULTIPLIER`). */
  readonly multiplier: number;
}

export function budgetMs(tool: { name: string; budget: BudgetClass }, settings: BudgetSettings): number {
  const base = settings.overridesMs[tool.name] ?? BUDGETS_MS[tool.budget];
  return Math.min(HARD_CAP_MS, Math.round(base * settings.multiplier));
}
