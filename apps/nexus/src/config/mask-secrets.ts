const SECRET_KEY = /(secret|token|passw|passphrase|api_?key|private_?key|credential|authorization|cookie)/i;
/** `scheme://user:password@host`. */
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s/@]+@/gi;
const MASK = '********';

/** The same value with every string under a key that names a secret, and every URL's password, masked. */
export function maskSecrets(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    return SECRET_KEY.test(key) ? MASK : value.replace(URL_PASSWORD, `$1${MASK}@`);
  }
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, maskSecrets(item, SECRET_KEY.test(key) ? key : name)]),
  );
}
