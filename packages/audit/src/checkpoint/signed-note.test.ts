import { createHash, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  isKeyOf,
  isSignedBy,
  keysOf,
  nameOf,
  parseNote,
  parseVerifier,
  signerOf,
  signNote,
} from './signed-note.ts';

/** RFC 8032, section 7.1, test 1. */
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const PKCS8 = Buffer.from(`302e020100300506032b657004220420${SEED}`, 'hex').toString('base64');
const PEM = `-----BEGIN PRIVATE KEY-----\n${PKCS8}\n-----END PRIVATE KEY-----\n`;
const KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const pemOf = (kind: 'ed25519' | 'x25519') =>
  generateKeyPairSync(kind as 'ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();

const TYPED = Buffer.from(`01${KEY}`, 'hex');
/** The first four bytes of the SHA-256 of the name, a line end, and the key with its kind. */
const ID = createHash('sha256')
  .update(Buffer.concat([Buffer.from('trail\n'), TYPED]))
  .digest('hex')
  .slice(0, 8);
const TEXT = 'one\n\ntwo\n';
const made = () => {
  const signer = signerOf('trail', PEM);
  return { signer, note: signNote(TEXT, signer) };
};

describe('a verifier', () => {
  it('is read from the text that is handed to others, white space around it or not', () => {
    const { signer } = made();
    const [name, id, ...key] = signer.text.split('+');
    expect([name, id]).toEqual(['trail', signer.id]);
    expect(Buffer.from(key.join('+'), 'base64').toString('hex')).toBe(`01${KEY}`);
    const read = parseVerifier(` ${signer.text}\n`);
    expect(read).toMatchObject({ name: 'trail', id: signer.id, text: signer.text });
    expect(read.key.equals(signer.key)).toBe(true);
    expect(signer.id).toBe(ID);
  });

  it('whose key has a plus sign in its text is read too', () => {
    const { signer } = made();
    expect(signer.text.split('+')).toHaveLength(4);
    expect(parseVerifier(signer.text).id).toBe(signer.id);
  });

  it.each([
    ['nothing', ''],
    ['a name alone', 'trail'],
    ['no name', `+${ID}+${TYPED.toString('base64')}`],
    ['a name of two words', `a trail+${ID}+${TYPED.toString('base64')}`],
    ['a key that is short', `trail+${ID}+${TYPED.subarray(0, 32).toString('base64')}`],
    ['a key that is long', `trail+${ID}+${Buffer.concat([TYPED, TYPED.subarray(0, 1)]).toString('base64')}`],
    [
      'a key of another kind',
      `trail+${ID}+${Buffer.concat([Buffer.of(2), TYPED.subarray(1)]).toString('base64')}`,
    ],
  ])('is not read from %s', (_, text) => {
    expect(() => parseVerifier(text)).toThrow('it is no verifier key of the form name+id+key');
  });

  it('whose id is another than its key has is refused, with both', () => {
    const text = `trail+00000000+${TYPED.toString('base64')}`;
    expect(() => parseVerifier(text)).toThrow(`its id is 00000000, that of its key is ${ID}`);
    expect(() => parseVerifier(made().signer.text.replace('trail', 'other'))).toThrow(`its id is ${ID}`);
  });

  it('is named by what its text begins with, as whoever a signature says that it is of', () => {
    const { signer, note } = made();
    expect(nameOf(signer)).toBe(`trail+${ID}`);
    expect(parseNote(note).signatures.map(nameOf)).toEqual([`trail+${ID}`]);
  });

  it('is made of an Ed25519 key only', () => {
    expect(() => signerOf('trail', pemOf('x25519'))).toThrow('it is no Ed25519 private key');
  });
});

describe('a signed note', () => {
  it('is the text, an empty line and the signature', () => {
    const { signer, note } = made();
    const [line = '', end] = note.slice('one\n\ntwo\n\n'.length).split('\n');
    expect(note.startsWith('one\n\ntwo\n\n— trail ')).toBe(true);
    expect(end).toBe('');
    const bytes = Buffer.from(line.split(' ')[2] ?? '', 'base64');
    expect(bytes.subarray(0, 4).toString('hex')).toBe(signer.id);
    expect(parseNote(note)).toEqual({
      text: 'one\n\ntwo\n',
      signatures: [{ name: 'trail', id: signer.id, bytes: bytes.subarray(4) }],
    });
  });

  it('is read with the signatures of others, and is signed by each of them and no other', () => {
    const { signer, note } = made();
    const other = signerOf('other', pemOf('ed25519'));
    const both = parseNote(note + signNote('one\n\ntwo\n', other).split('\n\n').at(-1));
    expect(both.signatures.map(({ name }) => name)).toEqual(['trail', 'other']);
    expect([isSignedBy(both, signer), isSignedBy(both, other)]).toEqual([true, true]);
    expect(isSignedBy(parseNote(note), other)).toBe(false);
    expect(isSignedBy({ ...both, signatures: [] }, signer)).toBe(false);
  });

  it('is not signed by whoever has another name, another id or another key, or signed another text', () => {
    const { signer, note } = made();
    const read = parseNote(note);
    const stranger = signerOf('trail', pemOf('ed25519'));
    expect(isSignedBy(read, signer)).toBe(true);
    expect(isSignedBy(read, { ...signer, name: 'other' })).toBe(false);
    expect(isSignedBy(read, { ...signer, id: '00000000' })).toBe(false);
    expect(isSignedBy(read, { ...signer, key: stranger.key })).toBe(false);
    expect(isSignedBy({ ...read, text: 'one\n\nTwo\n' }, signer)).toBe(false);
    const [signature] = read.signatures;
    const cut = { name: 'trail', id: signer.id, bytes: signature?.bytes.subarray(0, 63) as Buffer };
    const long = { ...cut, bytes: Buffer.concat([signature?.bytes as Buffer, Buffer.of(0)]) };
    expect(isSignedBy({ ...read, signatures: [cut] }, signer)).toBe(false);
    expect(isSignedBy({ ...read, signatures: [long] }, signer)).toBe(false);
  });

  const five = Buffer.alloc(5).toString('base64');
  it.each([
    ['a text without a signature', 'one\n'],
    ['a signature alone', `x— a ${five}\n`],
    ['a text that ends in an empty line', 'one\n\n'],
    ['a signature without its line end', `one\n\n— a ${five}`],
    ['another dash', `one\n\n- a ${five}\n`],
    ['a word more', `one\n\n— a ${five} b\n`],
    ['four bytes', `one\n\n— a ${Buffer.alloc(4).toString('base64')}\n`],
    ['a name alone', 'one\n\n— a\n'],
    ['one line that is a signature and one that is none', `one\n\n— a ${five}\nx\n`],
  ])('is not %s', (_, text) => {
    expect(() => parseNote(text)).toThrow('it is no signed note');
  });

  it('may be of an empty line', () => {
    expect(parseNote(`\n\n— a ${five}\n`).text).toBe('\n');
  });

  it('may have a signature of a kind that nobody here knows', () => {
    expect(parseNote(`one\n\n— a ${five}\n`).signatures).toEqual([
      { name: 'a', id: '00000000', bytes: Buffer.alloc(1) },
    ]);
  });
});

describe('a verifier with others of its owner', () => {
  const own = signerOf('nexus', pemOf('ed25519'));
  const [first, second, stranger] = ['ed25519', 'ed25519', 'ed25519'].map(() =>
    signerOf('nexus', pemOf('ed25519')),
  ) as [typeof own, typeof own, typeof own];
  const all = { ...own, others: [first, second] };

  it('is itself first, then those', () => {
    expect(keysOf(own)).toEqual([own]);
    expect(keysOf(all)).toEqual([all, first, second]);
  });

  it('knows each of them by its name and id, and nobody else', () => {
    for (const each of [own, first, second]) expect(isKeyOf(all, each)).toBe(true);
    expect(isKeyOf(all, stranger)).toBe(false);
    expect(isKeyOf(own, first)).toBe(false);
  });

  it('takes what any of them signed, and nothing of anybody else', () => {
    for (const each of [own, first, second])
      expect(isSignedBy(parseNote(signNote(TEXT, each)), all)).toBe(true);
    expect(isSignedBy(parseNote(signNote(TEXT, stranger)), all)).toBe(false);
    expect(isSignedBy(parseNote(signNote(TEXT, first)), own)).toBe(false);
  });
});
