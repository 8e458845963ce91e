import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ToolError } from '@nexus/plugin-sdk';
import { knownKeys } from './known-keys.ts';
import { type Signer, signerOf } from './signed-note.ts';

/**
 * The key that signs checkpoints, made on first use, for its owner alone.
 * @param file apart from the trail: who can write the one should not be able to write the other
 * @param name whose signature it is called
 * @throws {ToolError} NEXUS_FILE_UNREADABLE where the file is there and holds no Ed25519 key
 */
export function openKey(file: string, name: string): Signer {
  try {
    closeToOthers(file);
    return withOthers(file, signerOf(name, readFileSync(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      const why = (error as Error).message;
      const text = `the key of audit checkpoints can’t be read from ${file}: ${why}. Put it back from a copy; without one move the file away, and another is made.`;
      throw new ToolError('NEXUS_FILE_UNREADABLE', text, { cause: error });
    }
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const { privateKey } = generateKeyPairSync('ed25519');
  const made = `${file}.${crypto.randomUUID()}`;
  writeFileSync(made, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  try {
    // Whoever is first has made the key, whole, for all.
    linkSync(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(made);
  }
  return withOthers(file, signerOf(name, readFileSync(file, 'utf8')));
}

function withOthers(file: string, signer: Signer): Signer {
  return { ...signer, others: knownKeys(file).filter(({ text }) => text !== signer.text) };
}

/** A copy or a backup may have made it readable. One that another user put there is that user's, and Windows has no modes. */
function closeToOthers(file: string): void {
  const { mode, uid } = statSync(file);
  if (uid === process.getuid?.() && (mode & 0o077) !== 0) chmodSync(file, 0o600);
}
