/** How often files and times are looked at, where nothing is due before. */
export const LOOK_MS = 30_000;
/** A server that starts has its first client to answer first. */
const FIRST_LOOK_MS = 500;

/** Looks now and then, each time as long after the last as that says. @returns what ends it */
export function lookAgain(
  look: () => Promise<number>,
  { onFault, firstMs = FIRST_LOOK_MS }: { onFault(error: unknown): void; firstMs?: number },
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const later = (ms: number) => {
    if (!isOver) timer = setTimeout(() => void once(), ms).unref();
  };
  const once = async () => {
    try {
      later(await look());
    } catch (error) {
      if (!isOver) onFault(error);
      later(LOOK_MS);
    }
  };
  later(firstMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
