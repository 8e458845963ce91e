/** What the host knows of secrets: the formats of credentials, and the values that are in force now. */
export interface Secrets {
  /** The kind of the first secret in the text, in words such as `a GitHub token`; undefined without one. */
  find(text: string): string | undefined;
  /** The text with every secret in it masked. What the server itself logs and answers is masked anyway. */
  redact(text: string): string;
}
