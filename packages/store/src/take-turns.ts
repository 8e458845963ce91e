/** One at a time, in the order of asking. Taken and given back, as kysely does: what runs a function serves no driver. */
export interface Turns {
  /** Resolves when it is this one's turn. */
  next(): Promise<void>;
  /** Ends the turn of whoever has it. */
  done(): void;
}

export function takeTurns(): Turns {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  return {
    async next() {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
    },
    done() {
      const next = waiting.shift();
      // Stays taken in between: nobody who comes now is before whoever waits.
      if (next) next();
      else isTaken = false;
    },
  };
}
