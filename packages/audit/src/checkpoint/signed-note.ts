import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** Ed25519, by https://c2sp.org/signed-note. */
const ED25519 = 1;

/** Whose signature it is: a name without white space and plus signs, and an Ed25519 key. */
export interface Verifier {
  readonly name: string;
  readonly key: KeyObject;
  /** Four bytes that tell keys apart, as eight hexadecimal digits. */
  readonly id: string;
  /** The form that is handed to others: `name+id+key`. */
  readonly text: string;
  /** Other keys that its owner has signed with: what those signed is the owner’s word, too. */
  readonly others?: readonly Verifier[];
}

export interface Signer extends Verifier {
  readonly privateKey: KeyObject;
}

/** @param pem an Ed25519 private key in PKCS #8 */
export function signerOf(name: string, pem: string): Signer {
  const privateKey = createPrivateKey(pem);
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('it is no Ed25519 private key');
  return { ...verifierOf(name, createPublicKey(privateKey)), privateKey };
}

function verifierOf(name: string, key: KeyObject): Verifier {
  const raw = Buffer.from((key.export({ format: 'jwk' }) as { x: string }).x, 'base64url');
  const typed = Buffer.concat([Buffer.of(ED25519), raw]);
  const id = createHash('sha256').update(`${name}\n`).update(typed).digest('hex').slice(0, 8);
  return { name, key, id, text: `${name}+${id}+${typed.toString('base64')}` };
}

/** @throws {Error} where the text is no verifier key of a signed note, or its id is not that of its key */
export function parseVerifier(text: string): Verifier {
  const [name = '', id = '', ...rest] = text.trim().split('+');
  const typed = Buffer.from(rest.join('+'), 'base64');
  if (!/^\S+$/.test(name) || typed.length !== 33 || typed[0] !== ED25519) {
    throw new Error('it is no verifier key of the form name+id+key with an Ed25519 key');
  }
  const x = typed.subarray(1).toString('base64url');
  const found = verifierOf(name, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }));
  if (found.id !== id) throw new Error(`its id is ${id}, that of its key is ${found.id}`);
  return found;
}

/** Of a key, or of whom a signature says that it is. */
export function nameOf({ name, id }: Pick<Verifier, 'name' | 'id'>): string {
  return `${name}+${id}`;
}

/** @param text whole lines, the last with its line end */
export function signNote(text: string, { name, id, privateKey }: Signer): string {
  const signature = Buffer.concat([Buffer.from(id, 'hex'), sign(null, Buffer.from(text), privateKey)]);
  return `${text}\n— ${name} ${signature.toString('base64')}\n`;
}

export interface SignedNote {
  /** What is signed, with its last line end. */
  readonly text: string;
  readonly signatures: readonly { readonly name: string; readonly id: string; readonly bytes: Buffer }[];
}

/** @throws {Error} where it is no signed note */
export function parseNote(note: string): SignedNote {
  const end = note.lastIndexOf('\n\n');
  const lines = note.slice(end + 2).split('\n');
  if (end < 0 || lines.pop() !== '' || lines.length === 0) throw new Error('it is no signed note');
  const signatures = lines.map((line) => {
    const [dash, name = '', base64 = '', ...rest] = line.split(' ');
    const bytes = Buffer.from(base64, 'base64');
    if (dash !== '—' || rest.length > 0 || bytes.length < 5) throw new Error('it is no signed note');
    return { name, id: bytes.subarray(0, 4).toString('hex'), bytes: bytes.subarray(4) };
  });
  return { text: note.slice(0, end + 1), signatures };
}

/** The key and the others of its owner. */
export function keysOf(verifier: Verifier): readonly Verifier[] {
  return [verifier, ...(verifier.others ?? [])];
}

/** Whether a name is that of the key, or of another of its owner’s. */
export function isKeyOf(verifier: Verifier, named: Pick<Verifier, 'name' | 'id'>): boolean {
  return keysOf(verifier).some((each) => nameOf(each) === nameOf(named));
}

/** By the key, or another of its owner’s. */
export function isSignedBy({ text, signatures }: SignedNote, verifier: Verifier): boolean {
  return keysOf(verifier).some(({ name, id, key }) =>
    signatures.some(
      (each) =>
        each.name === name &&
        each.id === id &&
        each.bytes.length === 64 &&
        verify(null, Buffer.from(text), key, each.bytes),
    ),
  );
}
