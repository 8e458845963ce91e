/** Who is learnt about: what one user's clients do is told of no other's, whatever they call themselves. */
export interface ClientOfUser {
  /** As it names itself. */
  readonly name: string;
  readonly user?: string | undefined;
}

/** One word for both, as habits are kept by: over two lines, as no client or user is called. */
export function wordOf({ name, user }: ClientOfUser): string {
  return user === undefined ? name : `${name}\n${user}`;
}
