import { dollars, type Spend } from '@nexus/plugin-sdk';
import { counted } from '@nexus/primitives';

/** `120 tokens, $0.0012` of a step, whose price is told only where something was paid; empty where nothing was used. */
export function stepCost({ tokens, costUsd }: Spend): string {
  return [
    ...(tokens === 0 ? [] : [counted(tokens, 'token')]),
    ...(costUsd === 0 ? [] : [dollars(costUsd)]),
  ].join(', ');
}
