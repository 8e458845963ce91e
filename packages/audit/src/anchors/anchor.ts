/** A checkpoint as an anchor has it: the note, and the key that was told of beside it. */
export interface AnchoredNote {
  readonly verifier: string;
  readonly note: string;
}

/** A place out of the reach of who can write the trail, which has its checkpoints one after the other. */
export interface Anchor {
  /** As people know it, such as a path. */
  readonly name: string;
  /** @throws what the place says; a checkpoint that is not anchored is tried again with the next */
  add(row: AnchoredNote, number: number): Promise<void>;
  /** What was anchored, each trail's oldest first; other trails may be there too. */
  read(): Promise<readonly AnchoredNote[]>;
  /** Where several machines meet: the newest of every trail, so that each bears witness to the others'. */
  newest?(): Promise<readonly AnchoredNote[]>;
}

/** The line of JSON that a row is, wherever rows are text. */
export function rowText({ verifier, note }: AnchoredNote): string {
  return JSON.stringify({ verifier, note });
}

/** Half a row is none: nobody was told that it stands there. */
export function rowsIn(lines: string): AnchoredNote[] {
  return lines.split('\n').flatMap((line) => {
    try {
      const { verifier, note } = JSON.parse(line) as Partial<AnchoredNote>;
      return typeof verifier === 'string' && typeof note === 'string' ? [{ verifier, note }] : [];
    } catch {
      return [];
    }
  });
}
