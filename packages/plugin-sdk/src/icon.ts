/** A picture that a host may show (MCP 2025-11-25, `Icon`). */
export interface Icon {
  /** `https:` or `data:` URI. */
  readonly src: string;
  readonly mimeType?: string;
  /** `48x48`, or `any` for what scales. */
  readonly sizes?: readonly string[];
  /** The background it is made for. */
  readonly theme?: 'light' | 'dark';
}
