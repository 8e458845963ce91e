/** Authorisation that did not come about; the message completes `Server "x" …`. */
export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError';
}
