/** How a server is started, or reached: expanded and checked. */
export interface ConnectionSettings {
  readonly transport: 'stdio' | 'http' | 'sse';
  /** Of a stdio server. */
  readonly command?: string | undefined;
  readonly args: readonly string[];
  /** Beside the few variables that every process gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute; by default the project root. */
  readonly cwd?: string | undefined;
  /**
   * SHA-256 by absolute path: what files were when a stdio server was let run them. Not started where one is another
   * now.
   */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** Of an HTTP or SSE server. */
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings | undefined;
}

/** For servers whose authorisation server knows no dynamic registration. */
export interface OAuthSettings {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly scope?: string | undefined;
  /** Where the browser comes back to on this machine; by default any free port. */
  readonly redirectPort?: number | undefined;
}
