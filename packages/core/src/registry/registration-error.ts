/** A fault of a plugin that stops the boot: plugin, tool and fix are in the message. */
export class RegistrationError extends Error {
  override readonly name = 'RegistrationError';
}
