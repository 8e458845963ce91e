import type { ConverseRequest, TurnEvent } from '@nexus/plugin-sdk';

/** Whoever watches the text hears of the turns too. */
export function tellTurn({ onEvent, onTurn }: ConverseRequest, event: TurnEvent): void {
  onEvent?.(event);
  onTurn?.(event);
}
