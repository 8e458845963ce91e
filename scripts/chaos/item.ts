/** One piece of work that a client asks for; its mark stands in all that is said about it. */
export interface Item {
  readonly at: number;
  readonly mark: string;
  readonly kind: string;
}

export const markOf = (at: number) => `CHAOS-${String(at).padStart(4, '0')}`;

/** The first mark in a text. */
export function findMark(text: string): string | undefined {
  return /CHAOS-\d{4}/.exec(text)?.[0];
}
