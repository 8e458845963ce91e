const SECRET_KEY =
  /(secret|token|passw|passphrase|(?:api|access|private)[-_]?key|credential|authorization|cookie|[-_](?:key|pat|pass|pwd)$)/i;
/** An option of a command line whose value is the next argument. */
const OPTION = /^-[\w.-]+$/;
const SECRET_WORD = /secret|token|passw|key|credential|auth/i;

/** Whether a key says that its value is a secret. */
export function isSecretName(key: string): boolean {
  return SECRET_KEY.test(key);
}

/** Whether an argument is the value of the option before it, and that option names a secret. */
export function isSecretArgument(name: unknown, value: unknown): boolean {
  if (typeof name !== 'string' || !OPTION.test(name)) return false;
  return SECRET_WORD.test(name) && !String(value).startsWith('-');
}
