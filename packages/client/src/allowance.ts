/** How much of something may come: so much at once, and so much a second after that. */
export interface Allowance {
  /** Takes one; false where there is none left. */
  take(): boolean;
}

export function createAllowance({ burst, perSecond }: { burst: number; perSecond: number }): Allowance {
  let left = burst;
  let at = performance.now();
  return {
    take() {
      if (left < 1) {
        const now = performance.now();
        left = Math.min(burst, left + ((now - at) / 1000) * perSecond);
        at = now;
      } else if (left === burst) at = performance.now();
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
