import { ToolError } from '../tool-error.ts';
import type { Spend } from './ledger.ts';

/** A call without a price can't be held to a cap of money. @param what as for `Ledger.reserve` */
export function unpriced(what: string, cap: Partial<Spend>): ToolError {
  const model = what.replace(/ \([\s\S]*$/, '');
  const text = `${what} has no known price, so it can't be held to the cap of $${cap.costUsd}. State its price in the config, in US dollars per million tokens: models.models["${model}"].price = { "input": …, "output": … }, 0 for a model that costs nothing. Or use a model whose price is known (\`nexus models\` lists them), or a cap in tokens.`;
  return new ToolError('NEXUS_BUDGET_EXCEEDED', text, { detail: { cap, isUnpriced: true } });
}
