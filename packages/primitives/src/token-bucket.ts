/** How much of something may come: so much at once, and so much a second after that. */
export interface TokenBucket {
  /** Takes one where there is one. @returns in how many milliseconds there is one to take; 0 where one was taken */
  take(): number;
}

export function createTokenBucket({ burst, perSecond }: { burst: number; perSecond: number }): TokenBucket {
  let tokens = burst;
  let filledAt = performance.now();
  return {
    take() {
      const now = performance.now();
      tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond);
      filledAt = now;
      if (tokens < 1) return Math.ceil(((1 - tokens) / perSecond) * 1000);
      tokens -= 1;
      return 0;
    },
  };
}
