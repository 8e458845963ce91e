import { originOf } from './checkpoint.ts';
import { isKeyOf, isSignedBy, parseNote, type Signer, signNote, type Verifier } from './signed-note.ts';

/** What of a trail is said under the key beside checkpoints: that a chain was begun, or was kept for as long as stated. */
export type Statement =
  | { readonly about: 'begin'; readonly writer: string; readonly first: string }
  | { readonly about: 'retired'; readonly writer: string; readonly seq: number; readonly hash: string };

/** The statement as a signed note. */
export function signStatement(project: string, statement: Statement, signer: Signer): string {
  return signNote(textOf(project, statement), signer);
}

/** What is wrong with a note that should say this; undefined where it does. */
export function statementFault(
  project: string,
  statement: Statement,
  { note, verifier }: { readonly note: string; readonly verifier: Verifier },
): 'other_key' | 'unsigned' | undefined {
  try {
    const signed = parseNote(note);
    if (signed.text !== textOf(project, statement)) return 'unsigned';
    if (isSignedBy(signed, verifier)) return undefined;
    return signed.signatures.some((each) => isKeyOf(verifier, each)) ? 'unsigned' : 'other_key';
  } catch {
    return 'unsigned';
  }
}

function textOf(project: string, statement: Statement): string {
  const { about, writer } = statement;
  const rest = about === 'begin' ? statement.first : `${statement.seq} ${statement.hash}`;
  return `${originOf(project)}\n${about} ${writer} ${rest}\n`;
}
